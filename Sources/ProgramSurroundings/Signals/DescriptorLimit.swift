import Glibc

/// The system's limit on the number of files and connections that this process may have open.
package enum DescriptorLimit {
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// The current limit; nil if the system does not report it.
    static var current: Int? {
        var limits = rlimit()
        return getrlimit(resource, &limits) == 0 ? Int(clamping: limits.rlim_cur) : nil
    }

    /// Raises the limit to `count`, or as high as the system allows.
    package static func raise(to count: Int) {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < count else { return }
        limits.rlim_cur = min(rlim_t(count), limits.rlim_max)
        _ = setrlimit(resource, &limits)
    }
}
