import Glibc

/// The limit on this process's open files and connections.
package enum DescriptorLimit {
    /// Raises the limit to `count`, or to the highest value that is allowed.
    package static func raise(to count: Int) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < count else { return }
        limits.rlim_cur = min(rlim_t(count), limits.rlim_max)
        _ = setrlimit(resource, &limits)
    }
}
