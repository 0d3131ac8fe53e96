import Glibc

/// The limit on this process's open files and connections.
package enum DescriptorLimit {
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    /// Lowest limit for a command that uses the network. The network library opens three files per processor, and a missing one ends the
    /// process.
    private static let leastCount = max(64, 24 + 3 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// The limit that an error message recommends, if it is high enough.
    private static let recommendedCount = 256

    /// Raises the limit to `count`, or to the highest value that is allowed.
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
