/// The 17 status codes of gRPC, with their wire numbers, 0 to 16.
///
/// Source: the list of status codes in gRPC's documentation.
public enum StatusCode: Int, CaseIterable, Hashable, Sendable {
    /// The call succeeded; no error has this code.
    case ok = 0
    /// The call was cancelled, usually by the caller.
    case cancelled
    /// The server reported a failure that fits no other code.
    case unknown
    /// The request itself is wrong, whatever the state of the server.
    case invalidArgument
    /// No answer came in time; the call may have taken effect.
    case deadlineExceeded
    /// The trip or vehicle does not exist.
    case notFound
    /// A trip or vehicle with this name already exists.
    case alreadyExists
    /// The caller is known but lacks the permission.
    case permissionDenied
    /// A quota is used up, or a limit of the server is reached.
    case resourceExhausted
    /// The state of the trip or vehicle does not allow the call.
    case failedPrecondition
    /// The server aborted the call because of a concurrent call.
    case aborted
    /// A value is outside the range that the server supports.
    case outOfRange
    /// The server does not have the method.
    case unimplemented
    /// An internal fault of the server.
    case `internal`
    /// The server cannot be reached or is not ready.
    case unavailable
    /// Data was lost or damaged.
    case dataLoss
    /// The caller's token is missing, expired or not valid.
    case unauthenticated

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

    /// The HTTP status that belongs to the code in Google's mapping to REST.
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

    /// Creates the code with this wire number; `unknown` for an unassigned number.
    public init(number: Int) { self = StatusCode(rawValue: number) ?? .unknown }

    /// Creates the code with this name; nil for an unknown name. `INTERRUPTED`, which is only in Google's table of consumer errors,
    /// becomes `cancelled`.
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

/// A detail that a server sends with an error, in addition to the code and the message (`google.rpc` error details).
public enum ErrorDetail: Hashable, Sendable {
    /// The shortest wait before the call may be repeated, in seconds.
    case retryInfo(delaySeconds: Double)
    /// The exceeded limits (`google.rpc.QuotaFailure`).
    case quotaFailure([QuotaViolation])
    /// The reason in machine-readable form (`google.rpc.ErrorInfo`): `reason` is a word such as `SERVICE_DISABLED`. `domain` is the service
    /// that defines the word, such as `googleapis.com`.
    case errorInfo(reason: String, domain: String, metadata: [String: String])
    /// The wrong fields of the request (`google.rpc.BadRequest`).
    case badRequest([FieldViolation])
    /// The conditions that did not hold (`google.rpc.PreconditionFailure`).
    case preconditionFailure([PreconditionViolation])
    /// Links to pages about the error (`google.rpc.Help`).
    case help([HelpLink])
    /// A sentence for people (`google.rpc.LocalizedMessage`) in the language of `locale`, a BCP 47 tag.
    case localizedMessage(locale: String, message: String)

    /// One limit that the call exceeded.
    public struct QuotaViolation: Hashable, Sendable {
        /// `subject` is the owner of the limit, such as `project: 123`; `description` says in a sentence how the limit was exceeded.
        public let subject, description: String
        /// Creates a violation from the two texts of `google.rpc.QuotaFailure.Violation`.
        public init(subject: String, description: String) {
            self.subject = subject
            self.description = description
        }
    }

    /// One field of the request that was wrong.
    public struct FieldViolation: Hashable, Sendable {
        /// `field` is the field's path in the request, such as `trip.pickup_point`; `description` says in a sentence what is wrong with it.
        public let field, description: String
        /// Creates a violation from the two texts of `google.rpc.BadRequest.FieldViolation`.
        public init(field: String, description: String) {
            self.field = field
            self.description = description
        }
    }

    /// One condition that did not hold.
    public struct PreconditionViolation: Hashable, Sendable {
        /// `type` is a word that the service defines, such as `TRIP_ACTIVE`; `subject` is the resource's name; `description` is a sentence
        /// that says what to do.
        public let type, subject, description: String
        /// Creates a violation from the three texts of `google.rpc.PreconditionFailure.Violation`.
        public init(type: String, subject: String, description: String) {
            self.type = type
            self.subject = subject
            self.description = description
        }
    }

    /// A page about the error.
    public struct HelpLink: Hashable, Sendable {
        /// `description` says in a sentence what the page at `url` is about.
        public let description, url: String
        /// Creates a link from the two texts of `google.rpc.Help.Link`.
        public init(description: String, url: String) {
            self.description = description
            self.url = url
        }
    }
}

/// A failed call, as the server, the connection or the token source reports it.
public struct FleetEngineError: Error, Hashable, Sendable {
    /// The part of the system that failed. The raw values are the words in the output.
    public enum Origin: String, CaseIterable, Hashable, Sendable {
        /// The server answered with a status. The code and the details come from the server only for this origin.
        case server
        /// No answer came: the server was not reached, or the connection was refused, reset or cut.
        case network
        /// The server's certificate arrived and was not accepted.
        case tls
        /// No access token was available.
        case tokenSource = "token_source"
        /// The failure occurred in this process: an unreadable answer, a deadline set by the client, or a request that cannot be sent.
        case local
    }

    /// The kind of the failure. If `origin` is not `.server`, it is the code that fits best.
    public var code: StatusCode
    /// A sentence for people, from the server or from this program; it may be empty.
    public var message: String
    /// The server's details, in the server's order; empty for failures in this process.
    public var details: [ErrorDetail]
    /// The part of the system that failed.
    public var origin: Origin
    /// The HTTP status, if the answer came over plain HTTP.
    public var httpStatus: Int?
    /// The server's id of the request, to quote to the provider.
    public var requestID: String?
    /// The time of the local clock minus the time in the server's `Date` header, in seconds; nil if one of the two is missing.
    public var clockOffsetSeconds: Double?
    /// Whether the call failed because the client sent no token.
    public var lacksToken = false

    /// Creates an error. By default, it comes from a server.
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

    /// The longest wait that the server asked for in the details, in seconds; nil if it asked for no wait.
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
    /// The message. If a server gave the code, the code's name comes first.
    public var description: String {
        if message.isEmpty { return code.name }
        return origin == .server ? "\(code.name): \(message)" : message
    }
}
