import Glibc

/// A spare file descriptor. If no other descriptor is free, the spare one is closed briefly, so that a waiting connection can be
/// accepted and closed.
///
/// Ports refuse callers before the descriptors run out (`isRunningShort`), because the system's thread pool ends the process if
/// it cannot open its files.
struct ReserveDescriptor: ~Copyable {
    /// The number of descriptors that ports leave to the rest of the process. If this is more than a quarter of all descriptors, ports
    /// leave only a quarter.
    private static let spare = 32

    enum Outcome {
        case turnedAway
        /// The caller has closed the connection already.
        case nobodyThere
        /// Another file or connection of the process has taken the descriptor.
        case failed
    }

    private var descriptor = Self.openReserve()

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The maximum number of descriptors that this process may have open.
    static var limit: Int {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        return Int(clamping: limits.rlim_cur)
    }

    /// Whether the process is about to run out of descriptors.
    static var isRunningShort: Bool {
        let limit = limit
        // The system assigns the lowest free descriptor, so its number shows how many are in use.
        let next = openReserve()
        if next >= 0 { close(next) }
        return next < 0 || Int(next) >= limit - min(spare, limit / 4)
    }

    /// Whether a free descriptor would have prevented the error.
    static func helps(against error: Int32) -> Bool { error == EMFILE || error == ENFILE }

    /// Accepts one caller of a listening socket and closes the connection.
    mutating func turnAway(at socket: Int32) -> Outcome {
        if descriptor >= 0 { close(descriptor) }
        let caller = accept(socket, nil, nil)
        let reason = errno
        if caller >= 0 { close(caller) }
        descriptor = Self.openReserve()
        guard caller < 0 else { return .turnedAway }
        return Self.helps(against: reason) ? .failed : .nobodyThere
    }

    private static func openReserve() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
