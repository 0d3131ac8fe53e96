public import FoundationEssentials

/// The readable middle part of a JSON Web Token, without any check of its signature: good for advice, never for trust.
public struct JSONWebTokenClaims: Hashable, Sendable {
    public let issuer: String?
    public let issuedAt: Date?
    public let expiresAt: Date?
    /// `authorization.tripid`: the trip that the token is for, `*` for any.
    public let tripID: String?
    /// `authorization.vehicleid`.
    public let vehicleID: String?

    /// Nil when `token` is not of the form header.claims.signature or its claims are not JSON.
    public init?(token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let data = Data(base64URL: parts[1]), let raw = try? JSONDecoder().decode(Raw.self, from: data) else {
            return nil
        }
        issuer = raw.iss
        issuedAt = raw.iat.map(Date.init(timeIntervalSince1970:))
        expiresAt = raw.exp.map(Date.init(timeIntervalSince1970:))
        tripID = raw.authorization?.tripid
        vehicleID = raw.authorization?.vehicleid
    }

    private struct Raw: Decodable {
        struct Authorization: Decodable {
            let tripid: String?
            let vehicleid: String?
        }
        let iss: String?
        let iat: Double?
        let exp: Double?
        let authorization: Authorization?
    }
}

extension Data {
    /// Reads URL-safe base64 without padding.
    init?(base64URL text: some StringProtocol) {
        var plain = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        self.init(base64Encoded: plain)
    }
}
