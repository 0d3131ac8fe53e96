public import FoundationEssentials

/// The facts about a token that may be shown: its claims, its expiry, and its faults, for most of which Fleet Engine would refuse it. An
/// inspection holds neither the token nor its signature.
///
/// Source: Google's page on JSON Web Tokens for Fleet Engine. It asks for RS256, the audience, a lifetime of at most one hour, and
/// `authorization` with the trip or the vehicle.
public struct TokenInspection: Hashable, Sendable {
    /// A reason why Fleet Engine may not accept the token, or why an app should not have it. The raw values are the words in the output.
    public enum Warning: String, CaseIterable, Hashable, Sendable {
        /// The text is not of the form header.claims.signature; Fleet Engine accepts no other tokens.
        case notAJSONWebToken = "not_a_json_web_token"
        /// `exp`, or the source's expiry, has passed.
        case expired
        /// `nbf` or `iat` is more than `clockToleranceSeconds` in the future.
        case notYetValid = "not_yet_valid"
        /// Neither the token nor its source gives an expiry.
        case noExpiry = "no_expiry"
        /// The time from `iat` to `exp` is longer than `longestLifeSeconds` plus `lifeToleranceSeconds`.
        case lifetimeTooLong = "lifetime_too_long"
        /// `aud` does not contain `fleetEngineAudience`.
        case wrongAudience = "wrong_audience"
        /// `authorization` has no id of a trip, vehicle or other resource. Only an account with Google's role On-demand Admin may use such
        /// a token, but the token does not show the role.
        case noAuthorization = "no_authorization"
        /// `authorization.tripid` is neither the wanted trip nor `*`.
        case otherTrip = "other_trip"
        /// `authorization.vehicleid` is neither the wanted vehicle nor `*`.
        case otherVehicle = "other_vehicle"
        /// The token is valid for all trips or all vehicles. Such a token is for a server; an app should not have it.
        case wildcard
        /// The header's `alg` is `none` or missing.
        case unsigned
        /// The header's `alg` is not RS256.
        case otherAlgorithm = "other_algorithm"

        /// Whether Fleet Engine refuses a token with this fault. Other faults are only warnings, because some servers or roles accept such
        /// a token.
        public var isFatal: Bool {
            switch self {
            case .notAJSONWebToken, .expired, .notYetValid, .lifetimeTooLong, .wrongAudience, .otherTrip, .otherVehicle, .unsigned,
                .otherAlgorithm:
                true
            case .noExpiry, .noAuthorization, .wildcard: false
            }
        }
    }

    /// The audience that Fleet Engine asks for.
    public static let fleetEngineAudience = "https://fleetengine.googleapis.com/"
    /// The longest lifetime of a token, in seconds.
    public static let longestLifeSeconds = 3_600.0
    /// The number of seconds by which a token's lifetime may exceed `longestLifeSeconds`. Some issuers set `iat` a few seconds back.
    public static let lifeToleranceSeconds = 10.0
    /// The longest time by which `nbf` or `iat` may be in the future, in seconds, because clocks differ.
    public static let clockToleranceSeconds = 600.0

    /// Length of the token in bytes.
    public let byteCount: Int
    /// The claims of the token; nil if it is not a JSON Web Token.
    public let claims: JSONWebTokenClaims?
    /// The expiry from the token itself or from its source, whichever is earlier; nil if neither has an expiry.
    public let expiresAt: Date?
    /// The warnings about the token, in the order of the checks.
    public let warnings: [Warning]
    /// The time of the inspection.
    public let inspectedAt: Date
    /// The intended use of the token.
    public let context: AuthorizationContext

    /// Inspects a token at the time `now`.
    /// - Parameter context: the trip or vehicle for which the token is needed; may be empty.
    public init(_ token: AccessToken, context: AuthorizationContext = AuthorizationContext(), now: Date) {
        byteCount = token.secret.utf8.count
        let claims = JSONWebTokenClaims(token: token.secret)
        self.claims = claims
        expiresAt = [token.expiresAt, claims?.expiresAt].compactMap(\.self).min()
        inspectedAt = now
        self.context = context
        warnings = Self.warnings(claims, expiresAt: expiresAt, context: context, now: now)
    }

    /// Lifetime of the token (`exp` minus `iat`), in seconds; nil if a claim is missing.
    public var lifeSeconds: Double? {
        guard let issued = claims?.issuedAt, let expiry = claims?.expiresAt else { return nil }
        return expiry.timeIntervalSince(issued)
    }

    /// Seconds until the expiry; negative once it has passed.
    public var remainingSeconds: Double? { expiresAt?.timeIntervalSince(inspectedAt) }

    private static func warnings(
        _ claims: JSONWebTokenClaims?, expiresAt: Date?, context: AuthorizationContext, now: Date
    ) -> [Warning] {
        var found: [Warning] = []
        if let expiresAt { if expiresAt <= now { found.append(.expired) } } else { found.append(.noExpiry) }
        guard let claims else { return [.notAJSONWebToken] + found }
        let start = [claims.notBefore, claims.issuedAt].compactMap(\.self).max()
        if let start, start.timeIntervalSince(now) > clockToleranceSeconds { found.append(.notYetValid) }
        if let issued = claims.issuedAt, let expiry = claims.expiresAt,
            expiry.timeIntervalSince(issued) > longestLifeSeconds + lifeToleranceSeconds
        {
            found.append(.lifetimeTooLong)
        }
        if !claims.audience.contains(fleetEngineAudience) { found.append(.wrongAudience) }
        found += authorizationWarnings(claims, context)
        switch claims.algorithm {
        case "RS256": break
        case "none", nil: found.append(.unsigned)
        default: found.append(.otherAlgorithm)
        }
        return found
    }

    private static func authorizationWarnings(_ claims: JSONWebTokenClaims, _ context: AuthorizationContext) -> [Warning] {
        guard !claims.namesNothing else { return [.noAuthorization] }
        var found: [Warning] = []
        if let asked = context.tripID, claims.tripID != "*", claims.tripID != asked { found.append(.otherTrip) }
        if let asked = context.vehicleID, claims.vehicleID != "*", claims.vehicleID != asked { found.append(.otherVehicle) }
        if claims.tripID == "*" || claims.vehicleID == "*" { found.append(.wildcard) }
        return found
    }
}
