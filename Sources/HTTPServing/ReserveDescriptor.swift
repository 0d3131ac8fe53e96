import Glibc

/// A spare descriptor for the moment when no other is free. It lets the process accept a caller and turn it away.
///
/// Ports turn callers away earlier than that (`isRunningShort`). The system's thread pool opens files to look after its threads, and ends
/// the process if it cannot.
struct ReserveDescriptor: ~Copyable {
    /// Descriptors left for the rest of the process, at most a quarter of all.
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

    /// The most descriptors of this process.
    static var limit: Int {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        return Int(clamping: limits.rlim_cur)
    }

    /// Whether the process is about to run out of descriptors.
    static var isRunningShort: Bool {
        let limit = limit
        // The system gives out the lowest free descriptor.
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
