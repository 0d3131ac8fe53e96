import Glibc

/// A descriptor that is kept for the moment when there are no others: with it a caller can be accepted and turned away.
///
/// Callers should be turned away before that (`isRunningShort`): the system's thread pool, which opens files of its own to look after its
/// threads, ends the process when it cannot.
struct ReserveDescriptor: ~Copyable {
    /// Descriptors that are left to the rest of the process, a quarter of all at most.
    private static let spare = 32

    enum Outcome {
        case turnedAway
        /// The caller has gone by itself.
        case nobodyThere
        /// Somebody else has taken the descriptor.
        case failed
    }

    private var descriptor = Self.openReserve()

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// How many descriptors the system gives the process.
    static var limit: Int {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        return Int(clamping: limits.rlim_cur)
    }

    /// Whether the process is about to run out of descriptors.
    static var isRunningShort: Bool {
        let limit = limit
        // A new descriptor is the lowest that is free.
        let next = openReserve()
        if next >= 0 { close(next) }
        return next < 0 || Int(next) >= limit - min(spare, limit / 4)
    }

    /// Whether a descriptor is what was missing.
    static func helps(against error: Int32) -> Bool { error == EMFILE || error == ENFILE }

    /// Accepts one caller of a listening socket, and closes.
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
