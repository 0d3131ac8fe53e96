import BoundedJSON
public import FoundationEssentials
import Geo

/// The readable content of a JSON Web Token. Its signature is not checked, so the claims prove nothing and are used only for advice.
public struct JSONWebTokenClaims: Hashable, Sendable {
    /// The header's `alg`, such as RS256; `none` for an unsigned token.
    public let algorithm: String?
    /// The header's `kid`: the id of the key that signed the token.
    public let keyID: String?
    /// The header's `typ`: the type of the token, usually `JWT`.
    public let type: String?
    /// `iss`: the issuer of the token. In Fleet Engine tokens it is the service account's address.
    public let issuer: String?
    /// `sub`: the account that the token represents. In Fleet Engine tokens it is the same address as `issuer`.
    public let subject: String?
    /// `aud`: the services that the token is meant for.
    public let audience: [String]
    /// `iat`: the time at which the token was made.
    public let issuedAt: Date?
    /// `nbf`: the time from which the token may be used.
    public let notBefore: Date?
    /// `exp`: the time from which the server refuses the token.
    public let expiresAt: Date?
    /// `authorization.tripid`: the trip that the token is for, `*` for any.
    public let tripID: String?
    /// `authorization.vehicleid`: the vehicle that the token is for, `*` for any.
    public let vehicleID: String?
    /// `authorization.trackingid`: the shipment that the token is for, `*` for any.
    public let trackingID: String?
    /// `authorization.taskid`: the task that the token is for, `*` for any.
    public let taskID: String?
    /// `authorization.taskids`: the tasks that the token is for; empty without the claim.
    public let taskIDs: [String]
    /// `authorization.deliveryvehicleid`: the delivery vehicle that the token is for, `*` for any.
    public let deliveryVehicleID: String?
    /// `authorization.trusted`: whether a driver may change stops and tasks, and not only report positions. Fleet Engine itself does not
    /// have this claim.
    public let isTrusted: Bool
    /// `authorization.readonly`: whether the token allows only calls that change nothing. Fleet Engine itself does not have this claim.
    public let isReadOnly: Bool
    /// Names of the members of `authorization` for which this type has no property, sorted.
    public let otherAuthorizations: [String]
    /// Names of the claims for which this type has no property, sorted. Their values may be private and are left out.
    public let otherClaims: [String]

    /// Reads the claims of `token`. Nil if it is not of the form header.claims.signature or its claims are not a JSON object.
    public init?(token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let data = Self.decoded(parts[1]), let claims = TokenJSON.members(data) else { return nil }
        let header = Self.decoded(parts[0]).flatMap(TokenJSON.members) ?? [:]
        algorithm = header["alg"]?.text
        keyID = header["kid"]?.text
        type = header["typ"]?.text
        issuer = claims["iss"]?.text
        subject = claims["sub"]?.text
        audience = claims["aud"]?.texts ?? []
        issuedAt = Date(tokenSeconds: claims["iat"]?.number)
        notBefore = Date(tokenSeconds: claims["nbf"]?.number)
        expiresAt = Date(tokenSeconds: claims["exp"]?.number)
        let authorization = (try? JSONDecoder().decodeBounded(Authorized.self, from: data))?.authorization ?? [:]
        tripID = authorization["tripid"]?.text
        vehicleID = authorization["vehicleid"]?.text
        trackingID = authorization["trackingid"]?.text
        taskID = authorization["taskid"]?.text
        taskIDs = authorization["taskids"]?.texts ?? []
        deliveryVehicleID = authorization["deliveryvehicleid"]?.text
        isTrusted = authorization["trusted"] == .truth(true)
        isReadOnly = authorization["readonly"] == .truth(true)
        otherAuthorizations = authorization.keys.filter { !Self.knownAuthorizations.contains($0) }.sorted()
        otherClaims = claims.keys.filter { !Self.knownClaims.contains($0) }.sorted()
    }

    /// Whether `authorization` contains no id and no unknown member.
    var namesNothing: Bool {
        [tripID, vehicleID, trackingID, taskID, deliveryVehicleID].allSatisfy { $0 == nil } && taskIDs.isEmpty
            && otherAuthorizations.isEmpty
    }

    private static let knownAuthorizations: Set<String> = [
        "tripid", "vehicleid", "trackingid", "taskid", "taskids", "deliveryvehicleid", "trusted", "readonly",
    ]
    private static let knownClaims: Set<String> = ["iss", "sub", "aud", "iat", "nbf", "exp", "authorization"]

    private static func decoded(_ part: Substring) -> Data? { (try? URLSafeBase64.decode(String(part))).map { Data($0) } }

    private struct Authorized: Decodable {
        let authorization: [String: TokenJSON]?
    }
}
