import Glibc

/// A descriptor in reserve for when no other is free. It lets the process accept a caller and close the connection.
///
/// Ports begin to refuse callers earlier (`isRunningShort`), because the system's thread pool opens files to manage its threads, and ends
/// the process if it cannot.
struct ReserveDescriptor: ~Copyable {
    /// Number of descriptors that ports leave for the rest of the process. If that is more than a quarter of all, `isRunningShort` leaves a
    /// quarter.
    private static let spare = 32

    enum Outcome {
        case turnedAway
        /// The caller has left.
        case nobodyThere
        /// Another part of the process has taken the descriptor.
        case failed
    }

    private var descriptor = Self.openReserve()

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Maximum number of descriptors of this process.
    static var limit: Int {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        return Int(clamping: limits.rlim_cur)
    }

    /// Whether the process is about to run out of descriptors.
    static var isRunningShort: Bool {
        let limit = limit
        // The system gives out the lowest free descriptor, so its number shows how many are in use.
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
