import Glibc

/// The system's limit on the number of files and connections that this process may have open.
package enum DescriptorLimit {
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    /// The lowest limit with which a command can use the network. The network library opens three files per processor. If it
    /// cannot open one of them, it ends the process.
    private static let leastCount = max(64, 24 + 3 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// The limit that the error message recommends, unless the network needs a higher one.
    private static let recommendedCount = 256

    /// Raises the limit to `count`, or as high as the system allows.
    package static func raise(to count: Int) {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < count else { return }
        limits.rlim_cur = min(rlim_t(count), limits.rlim_max)
        _ = setrlimit(resource, &limits)
    }

    /// Raises the limit to the value that the network needs.
    /// - Throws: `Failure` if the system does not allow that.
    package static func raiseForNetwork() throws(Failure) {
        raise(to: leastCount)
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < leastCount else { return }
        throw Failure(
            message: "the limit of open files is \(limits.rlim_cur); tripwatch needs at least \(leastCount). "
                + "Raise it with 'ulimit -n \(max(recommendedCount, leastCount))'.")
    }
}
