import FleetEngine
import FoundationEssentials
import Geo

/// Whom a token is for; the words stand in the path, in capitals or not.
enum ProviderTokenKind: String, Sendable {
    case consumer, driver, server
}

/// The sample provider's token object.
struct TokenBody: Codable, Hashable, Sendable {
    /// The token's life, seconds.
    static let lifeSeconds = 3_600

    let tokenType: String
    let jwt: String
    /// Milliseconds since 1970.
    let creationTimestamp: Int64
    /// Milliseconds since 1970.
    let expirationTimestamp: Int64
    let audience: String
    let authorizationClaims: [String: String]

    /// A token with the claims that Fleet Engine's roles want, and with no signature, which it says itself: an engine that asks for no
    /// tokens takes it, every other refuses it.
    ///
    /// - Parameters:
    ///   - id: the trip of a consumer, the vehicle of a driver.
    ///   - issuedAt: seconds since 1970.
    init(_ kind: ProviderTokenKind, id: String, provider: String, issuedAt: Int64) {
        let account = "\(kind.rawValue)@\(provider).invalid"
        let authorization =
            switch kind {
            case .consumer: ["tripid": id]
            case .driver: ["vehicleid": id]
            case .server: ["tripid": "*", "vehicleid": "*"]
            }
        let expiry = issuedAt + Int64(Self.lifeSeconds)
        let claims = Claims(
            iss: account, sub: account, aud: TokenInspection.fleetEngineAudience, iat: issuedAt, exp: expiry, authorization: authorization)
        tokenType = kind.rawValue.uppercased()
        jwt = Self.part(["alg": "none", "typ": "JWT"]) + "." + Self.part(claims) + "."
        creationTimestamp = issuedAt * 1_000
        expirationTimestamp = expiry * 1_000
        audience = claims.aud
        authorizationClaims = authorization
    }

    private struct Claims: Encodable {
        let iss: String
        let sub: String
        let aud: String
        let iat: Int64
        let exp: Int64
        let authorization: [String: String]
    }

    private static func part(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return URLSafeBase64.encode(Array((try? encoder.encode(value)) ?? Data()), isPadded: false)
    }
}

extension ProviderDesk {
    /// - Throws: INVALID_ARGUMENT for an id that no trip or vehicle can have; the wildcard is the server's alone.
    func token(_ kind: ProviderTokenKind, id: String) throws(FleetEngineError) -> TokenBody {
        do throws(ResourceNameError) {
            switch kind {
            case .consumer: _ = try TripName(provider: provider, trip: id)
            case .driver: _ = try VehicleName(provider: provider, vehicle: id)
            case .server: break
            }
        } catch {
            throw .invalid(kind == .driver ? "vehicleId" : "tripId", "\(error)")
        }
        guard kind == .server || id != "*" else { throw .invalid("id", "a token for every trip or vehicle is a server's: /token/server") }
        let now = min(max(time.now().timeIntervalSince1970, 0), 253_402_300_799)
        return TokenBody(kind, id: id, provider: provider, issuedAt: Int64(now))
    }
}
