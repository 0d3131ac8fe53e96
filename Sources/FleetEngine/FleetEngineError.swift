/// The 17 status codes of gRPC, with their wire numbers.
public enum StatusCode: Int, CaseIterable, Hashable, Sendable {
    case ok = 0
    case cancelled, unknown, invalidArgument, deadlineExceeded, notFound, alreadyExists, permissionDenied, resourceExhausted
    case failedPrecondition, aborted, outOfRange, unimplemented, `internal`, unavailable, dataLoss, unauthenticated

    /// The name in Google's spelling, such as `NOT_FOUND`.
    public var name: String {
        switch self {
        case .ok: "OK"
        case .cancelled: "CANCELLED"
        case .unknown: "UNKNOWN"
        case .invalidArgument: "INVALID_ARGUMENT"
        case .deadlineExceeded: "DEADLINE_EXCEEDED"
        case .notFound: "NOT_FOUND"
        case .alreadyExists: "ALREADY_EXISTS"
        case .permissionDenied: "PERMISSION_DENIED"
        case .resourceExhausted: "RESOURCE_EXHAUSTED"
        case .failedPrecondition: "FAILED_PRECONDITION"
        case .aborted: "ABORTED"
        case .outOfRange: "OUT_OF_RANGE"
        case .unimplemented: "UNIMPLEMENTED"
        case .internal: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        case .dataLoss: "DATA_LOSS"
        case .unauthenticated: "UNAUTHENTICATED"
        }
    }

    /// The HTTP status that Google's REST mapping pairs with the code.
    public var httpStatus: Int {
        switch self {
        case .ok: 200
        case .cancelled: 499
        case .invalidArgument, .failedPrecondition, .outOfRange: 400
        case .unauthenticated: 401
        case .permissionDenied: 403
        case .notFound: 404
        case .alreadyExists, .aborted: 409
        case .resourceExhausted: 429
        case .unknown, .internal, .dataLoss: 500
        case .unimplemented: 501
        case .unavailable: 503
        case .deadlineExceeded: 504
        }
    }

    /// Reads a number; one that no code has is `unknown`.
    public init(number: Int) { self = StatusCode(rawValue: number) ?? .unknown }

    /// Reads a name; `INTERRUPTED` is in Google's table of consumer errors though no gRPC code, and is taken as a cut transmission.
    public init?(name: String) {
        if name == "INTERRUPTED" {
            self = .cancelled
        } else if let found = Self.allCases.first(where: { $0.name == name }) {
            self = found
        } else {
            return nil
        }
    }
}

/// What a server says about an error beyond code and message (`google.rpc` error details).
public enum ErrorDetail: Hashable, Sendable {
    /// Wait at least this long, seconds.
    case retryInfo(delaySeconds: Double)
    case quotaFailure([QuotaViolation])
    case errorInfo(reason: String, domain: String, metadata: [String: String])
    case badRequest([FieldViolation])
    case preconditionFailure([PreconditionViolation])
    case help([HelpLink])
    case localizedMessage(locale: String, message: String)

    public struct QuotaViolation: Hashable, Sendable {
        public let subject, description: String
        public init(subject: String, description: String) {
            self.subject = subject
            self.description = description
        }
    }

    public struct FieldViolation: Hashable, Sendable {
        public let field, description: String
        public init(field: String, description: String) {
            self.field = field
            self.description = description
        }
    }

    public struct PreconditionViolation: Hashable, Sendable {
        public let type, subject, description: String
        public init(type: String, subject: String, description: String) {
            self.type = type
            self.subject = subject
            self.description = description
        }
    }

    public struct HelpLink: Hashable, Sendable {
        public let description, url: String
        public init(description: String, url: String) {
            self.description = description
            self.url = url
        }
    }
}

/// A call that failed: what the server, the connection or the token source said.
public struct FleetEngineError: Error, Hashable, Sendable {
    /// Which part failed. Raw values are the words in output.
    public enum Origin: String, CaseIterable, Hashable, Sendable {
        /// The server answered with a status. Only then are code and numbers its own.
        case server
        /// No answer came: not reached, refused, reset, cut.
        case network
        /// The other side's certificate was received, and not accepted.
        case tls
        /// No access token could be had.
        case tokenSource = "token_source"
        /// Made here: an answer that cannot be read, a deadline of ours, a request that cannot be sent.
        case local
    }

    public var code: StatusCode
    public var message: String
    public var details: [ErrorDetail]
    public var origin: Origin
    /// Where the answer came over plain HTTP.
    public var httpStatus: Int?
    /// To quote to the provider.
    public var requestID: String?
    /// Local clock minus the server's `Date`, seconds, where both are known.
    public var clockOffsetSeconds: Double?

    public init(
        code: StatusCode, message: String, details: [ErrorDetail] = [], origin: Origin = .server, httpStatus: Int? = nil,
        requestID: String? = nil, clockOffsetSeconds: Double? = nil
    ) {
        self.code = code
        self.message = message
        self.details = details
        self.origin = origin
        self.httpStatus = httpStatus
        self.requestID = requestID
        self.clockOffsetSeconds = clockOffsetSeconds
    }

    /// The longest wait that the server asked for, seconds.
    public var retryDelaySeconds: Double? {
        details.compactMap { if case .retryInfo(let seconds) = $0, seconds.isFinite, seconds >= 0 { seconds } else { nil } }.max()
    }

    /// The reason word of an `ErrorInfo`, such as `SERVICE_DISABLED`.
    public var reason: String? {
        for case .errorInfo(let reason, _, _) in details { return reason }
        return nil
    }
}

extension FleetEngineError: CustomStringConvertible {
    /// The message, after the code where a server gave it.
    public var description: String {
        if message.isEmpty { return code.name }
        return origin == .server ? "\(code.name): \(message)" : message
    }
}
