public import FleetEngine

/// How a vehicle's reports stand (`DriverStatusListener` of the Driver SDK).
public struct DriverStatus: Hashable, Sendable {
    /// How bad it is, in rising order.
    public enum Level: Int, Hashable, Sendable, Comparable {
        /// For those who look for a fault.
        case debug
        /// All is well.
        case info
        /// It may pass by itself.
        case warning
        /// It lasts until somebody does something.
        case error

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// Whose matter it is.
    public enum Code: Hashable, Sendable {
        /// None of the others.
        case `default`
        /// The server gave no reason.
        case unknown
        /// The server does not do what was asked.
        case service
        /// A file of the SDK cannot be used; this reporter has none and never says it.
        case fileAccess
        /// The server has no such vehicle.
        case vehicleNotFound
        /// The server cannot be reached, or does not answer in time.
        case backendConnectivity
        /// The token is missing or expired, or does not allow it.
        case permissionDenied
        /// The way driven cannot be recorded; this reporter does not record it and never says it.
        case traveledRoute
    }

    /// How bad it is.
    public let level: Level
    /// Whose matter it is.
    public let code: Code
    /// A sentence for people; may be empty.
    public let message: String
    /// The failed call; nil if none failed.
    public let cause: FleetEngineError?

    /// A status.
    public init(level: Level, code: Code, message: String, cause: FleetEngineError? = nil) {
        self.level = level
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The server takes the vehicle's reports again.
    static let accepted = DriverStatus(level: .info, code: .default, message: "the server takes the vehicle's reports again")

    /// What a failed update says.
    public init(_ error: FleetEngineError) {
        let level: Level = error.saysEmptyMask ? .debug : error.errorClass() == .retryable ? .warning : .error
        self.init(level: level, code: Self.code(of: error), message: error.message, cause: error)
    }

    private static func code(of error: FleetEngineError) -> Code {
        switch (error.origin, error.code) {
        case _ where error.saysEmptyMask: .default
        case (.network, _), (.tls, _): .backendConnectivity
        case (.tokenSource, _), (.server, .permissionDenied), (.server, .unauthenticated): .permissionDenied
        case (.server, .notFound): .vehicleNotFound
        case (_, .unavailable), (_, .deadlineExceeded): .backendConnectivity
        case (.server, .unknown): .unknown
        case (.server, _): .service
        case (.local, _): .default
        }
    }
}
