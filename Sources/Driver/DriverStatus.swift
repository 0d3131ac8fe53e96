public import FleetEngine

/// The status of a vehicle's reports (`DriverStatusListener` of the Driver SDK).
public struct DriverStatus: Hashable, Sendable {
    /// The severity of a status, from lowest to highest.
    public enum Level: Int, Hashable, Sendable, Comparable {
        /// The status is only for debugging.
        case debug
        /// Everything works.
        case info
        /// The fault may clear by itself.
        case warning
        /// The fault lasts until a person acts.
        case error

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The cause of a status.
    public enum Code: Hashable, Sendable {
        /// The status has no specific cause.
        case `default`
        /// The server did not give a reason.
        case unknown
        /// The server did not carry out the request.
        case service
        /// A file of the SDK cannot be used. This reporter uses no files and never reports this code.
        case fileAccess
        /// The server does not know the vehicle.
        case vehicleNotFound
        /// The server cannot be reached or does not answer in time.
        case backendConnectivity
        /// The token is missing or expired, or lacks a permission.
        case permissionDenied
        /// The travelled route cannot be recorded. This reporter does not record the route and never reports this code.
        case traveledRoute
    }

    /// The severity of the status.
    public let level: Level
    /// The cause of the status.
    public let code: Code
    /// A sentence for the user; it may be empty.
    public let message: String
    /// The error of the failed call; nil if no call failed.
    public let cause: FleetEngineError?

    /// Creates a status.
    public init(level: Level, code: Code, message: String, cause: FleetEngineError? = nil) {
        self.level = level
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The status of a vehicle whose reports the server accepts again after failures.
    static let accepted = DriverStatus(level: .info, code: .default, message: "the server accepts the vehicle's reports again")

    /// Creates the status for a failed update.
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
