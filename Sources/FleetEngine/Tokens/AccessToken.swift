public import FoundationEssentials

/// The ids for which a token is needed. The SDKs pass the trip or tracking id to a consumer's token provider, and the vehicle id to a
/// driver's.
public struct AuthorizationContext: Hashable, Sendable {
    /// Bare id of the trip to read; nil if the token is not for a trip.
    public var tripID: String?
    /// Bare id of the vehicle; nil if the token is not for a vehicle.
    public var vehicleID: String?
    /// Tracking id of the shipment to read; nil if the token is not for a shipment.
    public var trackingID: String?

    /// Creates a context with these ids. A source that needs an id refuses a context without it:
    /// `AccessTokenError.missingAuthorizationContext`.
    public init(tripID: String? = nil, vehicleID: String? = nil, trackingID: String? = nil) {
        self.tripID = tripID
        self.vehicleID = vehicleID
        self.trackingID = trackingID
    }
}

/// A bearer token. Its text never appears in a description.
public struct AccessToken: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text after `Bearer `.
    public let secret: String
    /// The time from which the server refuses the token; nil if the token's source does not give it.
    public let expiresAt: Date?

    /// Creates a token without checking its text; see `checked(_:origin:)`.
    public init(secret: String, expiresAt: Date? = nil) {
        self.secret = secret
        self.expiresAt = expiresAt
    }

    public var description: String { "access token (\(secret.utf8.count) bytes, not shown)" }
    public var debugDescription: String { description }
    /// A mirror that shows only the length, so that `dump` does not print the token either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// The reason why no token is available. The first two cases are the errors of the SDKs' sample providers.
public enum AccessTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The source needs an id that the context does not have.
    case missingAuthorizationContext
    /// The source answered, but without a usable token. The text gives the reason.
    case missingData(String)
    /// The source could not be reached, or the connection broke.
    case transport(String)
    /// The source refused to give a token.
    case refused(String)

    /// Whether the same request may succeed later without a change by the user.
    public var isRetryable: Bool {
        if case .transport = self { true } else { false }
    }

    public var description: String {
        switch self {
        case .missingAuthorizationContext:
            "the token source needs an id that this call does not have: check the placeholders in the token URL"
        case .missingData(let what): what
        case .transport(let what): what
        case .refused(let what): what
        }
    }

    /// The error of a call that fails because it cannot get a token.
    public var fleetEngineError: FleetEngineError {
        FleetEngineError(code: isRetryable ? .unavailable : .unauthenticated, message: description, origin: .tokenSource)
    }
}

/// A source of access tokens (`GMTCAuthorization`, `GMTDAuthorization`).
public protocol AccessTokenProvider: Sendable {
    /// Returns a new token for the ids of `context`. Providers do not cache tokens.
    func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken
    /// Whether another request can return a different token.
    var canRenew: Bool { get }
    /// A value that changes when the source may have a new token, such as the time of a file's last change; nil if unknown. It
    /// must be fast to read, because the cache reads it before every use of a token.
    var revision: Int? { get }
    /// Whether ``revision`` can ever report a change.
    var hasRevisions: Bool { get }
}

extension AccessTokenProvider {
    /// Nil: by default, a source has no revision.
    public var revision: Int? { nil }
    /// By default, true if the source has a revision now.
    public var hasRevisions: Bool { revision != nil }
}

/// A source that always gives the same token, from a flag or from the environment.
public struct FixedAccessToken: AccessTokenProvider {
    private let token: AccessToken

    /// Creates a source of the token `secret`. In messages, `origin` says where the text came from.
    /// - Throws: `AccessTokenError.missingData` when `secret` cannot be a token.
    public init(secret: String, origin: String) throws(AccessTokenError) {
        token = try AccessToken.checked(secret, origin: origin)
    }

    /// Creates a source of the token in `variable`; nil when the variable is unset or empty.
    public init?(environment: [String: String], variable: String = "TRIPWATCH_TOKEN") throws(AccessTokenError) {
        guard let secret = environment[variable], !secret.isEmpty else { return nil }
        try self.init(secret: secret, origin: "environment variable \(variable)")
    }

    /// Returns the fixed token, for every context.
    public func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken { token }
    /// False, because there is no other token.
    public var canRenew: Bool { false }
}

extension AccessToken {
    /// The longest token that is accepted, in bytes.
    public static let maximumBytes = 64 * 1024

    /// Creates a token from text that a user typed or a file holds. White space around the text is dropped. The rest must be 1 to
    /// ``maximumBytes`` visible ASCII characters, which an HTTP header can hold. Other text is refused.
    public static func checked(_ text: String, origin: String) throws(AccessTokenError) -> AccessToken {
        let bytes = text.utf8
        let space = Set("\t\r\n ".utf8)
        guard let first = bytes.firstIndex(where: { !space.contains($0) }), let last = bytes.lastIndex(where: { !space.contains($0) })
        else {
            throw .missingData("the token from the \(origin) is empty")
        }
        let core = bytes[first...last]
        guard core.count <= maximumBytes else { throw .missingData("the token from the \(origin) is longer than \(maximumBytes) bytes") }
        guard core.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .missingData("the token from the \(origin) has characters that a token cannot have (spaces, line breaks or non-ASCII)")
        }
        let secret = String(decoding: core, as: UTF8.self)
        return AccessToken(secret: secret, expiresAt: JSONWebTokenClaims(token: secret)?.expiresAt)
    }
}
