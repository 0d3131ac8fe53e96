import FleetEngine
public import FoundationEssentials
import JWTKit

/// A token that this program has signed.
public struct MintedToken: Sendable {
    /// The token: header, claims and signature. It never appears in a description.
    public let secret: String
    /// The address of the account that signed the token.
    public let email: String
    /// The time of issue, in seconds since 1970.
    public let issuedAt: Int64
    /// The time of expiry, in seconds since 1970.
    public let expiresAt: Int64

    /// - Parameters:
    ///   - tripID: the bare id of the trip; `*` for any trip, nil for none.
    ///   - vehicleID: the bare id of the vehicle; `*` for any vehicle, nil for none.
    ///   - isReadOnly: whether the token allows only calls that change nothing.
    ///   - lifeSeconds: the lifetime of the token in seconds. A value below 1 becomes 1. A value above an hour becomes an hour, because
    ///     servers refuse a token with a longer lifetime.
    /// - Throws: `AccountError` if the account's private key is not known or cannot sign.
    public init(
        _ account: Account, tripID: String?, vehicleID: String?, deliveries: DeliveryClaims = DeliveryClaims(), isReadOnly: Bool = false,
        lifeSeconds: Int64, now: Date
    ) async throws(AccountError) {
        guard let key = account.privateKey else { throw AccountError(description: "the account \(account.name) has no private key") }
        issuedAt = Int64(min(max(now.timeIntervalSince1970, 0), 253_402_300_799))
        expiresAt = issuedAt + min(max(lifeSeconds, 1), Int64(TokenInspection.longestLifeSeconds))
        email = account.email
        let authorization = Authorization(tripID: tripID, vehicleID: vehicleID, deliveries: deliveries, isReadOnly: isReadOnly)
        let claims = Claims(
            iss: account.email, sub: account.email, aud: TokenInspection.fleetEngineAudience, iat: issuedAt, exp: expiresAt,
            authorization: authorization.isEmpty ? nil : authorization)
        let keyID = JWKIdentifier(string: account.keyID)
        let keys = await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256, kid: keyID)
        guard let text = try? await keys.sign(claims, kid: keyID) else {
            throw AccountError(description: "the key of \(account.name) cannot sign a token")
        }
        secret = text
    }

    private struct Claims: JWTPayload {
        let iss: String
        let sub: String
        let aud: String
        let iat: Int64
        let exp: Int64
        let authorization: Authorization?

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}

extension MintedToken: CustomStringConvertible, CustomReflectable {
    public var description: String { "token of \(email), not shown" }
    /// A mirror that shows only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
