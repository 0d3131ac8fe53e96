import Glibc

extension DescriptorLimit {
    /// The lowest limit on open files with which the network library works. The library opens three files per processor, and ends the
    /// process if it cannot open one of them.
    private static let leastCount = max(64, 24 + 3 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// The limit that the error message recommends, unless the network needs a higher one.
    private static let recommendedCount = 256

    /// Raises the limit on open files to the value that the network library needs.
    /// - Throws: `Failure` if the system does not allow that.
    package static func raiseForNetwork() throws(Failure) {
        raise(to: leastCount)
        guard let current, current < leastCount else { return }
        throw Failure(
            message: "the limit on open files is \(current); tripwatch needs at least \(leastCount). "
                + "Raise it with 'ulimit -n \(max(recommendedCount, leastCount))'.")
    }
}
