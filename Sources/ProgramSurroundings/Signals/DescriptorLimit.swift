import Glibc

/// How many files and connections the system lets this process have open.
package enum DescriptorLimit {
    /// Raises it to `count`, or to the most that is allowed.
    package static func raise(to count: Int) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < count else { return }
        limits.rlim_cur = min(rlim_t(count), limits.rlim_max)
        _ = setrlimit(resource, &limits)
    }
}
