import FleetEngine
import FleetEngineAccess
import FleetEngineCore
import FoundationEssentials
import Geo

/// The role that a token is made for. The raw value is a path segment; case is ignored.
enum ProviderTokenKind: String, Sendable {
    case consumer, driver, server

    var role: AccountRole {
        switch self {
        case .consumer: .consumer
        case .driver: .driver
        case .server: .server
        }
    }

    /// Returns the claims that Fleet Engine requires for the role.
    ///
    /// - Parameter id: the trip id for a consumer, the vehicle id for a driver; not used for a server.
    func authorization(id: String) -> [String: String] {
        switch self {
        case .consumer: ["tripid": id]
        case .driver: ["vehicleid": id]
        case .server: ["tripid": "*", "vehicleid": "*"]
        }
    }
}

/// Token object of the sample provider.
struct TokenBody: Codable, Hashable, Sendable {
    /// Lifetime of a token without a signature, in seconds.
    static let lifeSeconds = 3_600

    let tokenType: String
    let jwt: String
    /// Time of creation, in milliseconds since 1970.
    let creationTimestamp: Int64
    /// Time of expiry, in milliseconds since 1970.
    let expirationTimestamp: Int64
    let audience: String
    let authorizationClaims: [String: String]

    /// Creates a token without a signature. Only an engine that does not require tokens accepts it.
    ///
    /// - Parameter issuedAt: seconds since 1970.
    init(unsigned kind: ProviderTokenKind, _ authorization: [String: String], provider: String, issuedAt: Int64) {
        let token = UnsignedToken(kind.rawValue, authorization, provider: provider, issuedAt: issuedAt)
        self.init(kind, authorization, jwt: token.jwt, issuedAt: issuedAt, expiresAt: token.expiresAt)
    }

    /// - Parameters:
    ///   - issuedAt: seconds since 1970.
    ///   - expiresAt: seconds since 1970.
    init(_ kind: ProviderTokenKind, _ authorization: [String: String], jwt: String, issuedAt: Int64, expiresAt: Int64) {
        tokenType = kind.rawValue.uppercased()
        self.jwt = jwt
        creationTimestamp = issuedAt * 1_000
        expirationTimestamp = expiresAt * 1_000
        audience = TokenInspection.fleetEngineAudience
        authorizationClaims = authorization
    }
}

/// A token without a signature. Its header says that the token is not signed.
struct UnsignedToken {
    let jwt: String
    /// Time of expiry, in seconds since 1970.
    let expiresAt: Int64

    /// - Parameters:
    ///   - kind: the kind of the token, which becomes the name of its account.
    ///   - authorization: the claims about trips, vehicles and deliveries.
    ///   - issuedAt: seconds since 1970.
    init(_ kind: String, _ authorization: some Encodable, provider: String, issuedAt: Int64) {
        let account = "\(kind)@\(provider).invalid"
        expiresAt = issuedAt + Int64(TokenBody.lifeSeconds)
        let claims = Claims(
            iss: account, sub: account, aud: TokenInspection.fleetEngineAudience, iat: issuedAt, exp: expiresAt,
            authorization: authorization)
        jwt = Self.part(["alg": "none", "typ": "JWT"]) + "." + Self.part(claims) + "."
    }

    private struct Claims<Authorization: Encodable>: Encodable {
        let iss: String
        let sub: String
        let aud: String
        let iat: Int64
        let exp: Int64
        let authorization: Authorization
    }

    private static func part(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return URLSafeBase64.encode(Array((try? encoder.encode(value)) ?? Data()), isPadded: false)
    }
}

extension ProviderDesk {
    /// The current time, in seconds since 1970.
    nonisolated var unixSeconds: Int64 { Int64(min(max(time.now().timeIntervalSince1970, 0), 253_402_300_799)) }

    /// Makes a token for a role.
    /// - Parameter gate: signs the token, with the real time as the time of issue; nil leaves the token unsigned.
    /// - Throws: INVALID_ARGUMENT if the trip id of a consumer's token or the vehicle id of a driver's token is invalid or is the wildcard
    ///   `*`. INTERNAL if there is no key to sign with.
    func token(_ kind: ProviderTokenKind, id: String, signedBy gate: AccessGate?) async throws(FleetEngineError) -> TokenBody {
        do throws(ResourceNameError) {
            switch kind {
            case .consumer: _ = try TripName(provider: provider, trip: id)
            case .driver: _ = try VehicleName(provider: provider, vehicle: id)
            case .server: break
            }
        } catch {
            throw .invalid(kind == .driver ? "vehicleId" : "tripId", "\(error)")
        }
        guard kind == .server || id != "*" else {
            throw .invalid("id", "only a server's token covers every trip or vehicle: use /token/server")
        }
        let authorization = kind.authorization(id: id)
        guard let gate else {
            return TokenBody(unsigned: kind, authorization, provider: provider, issuedAt: unixSeconds)
        }
        do throws(AccountError) {
            let token = try await gate.mint(kind.role, tripID: authorization["tripid"], vehicleID: authorization["vehicleid"])
            return TokenBody(kind, authorization, jwt: token.secret, issuedAt: token.issuedAt, expiresAt: token.expiresAt)
        } catch {
            throw FleetEngineError(code: .internal, message: "\(error)")
        }
    }
}
