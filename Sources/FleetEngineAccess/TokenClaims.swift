import JWTKit

/// The claims of a token that this program reads.
struct TokenClaims: JWTPayload {
    let iss: String?
    let sub: String?
    let aud: Audience?
    /// Seconds since 1970.
    let iat: Double?
    /// Seconds since 1970.
    let nbf: Double?
    /// Seconds since 1970.
    let exp: Double?
    let authorization: Authorization?

    /// One or several.
    enum Audience: Codable {
        case one(String)
        case several([String])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .one(text)
            } else {
                self = .several(try container.decode([String].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .one(let text): try container.encode(text)
            case .several(let texts): try container.encode(texts)
            }
        }

        func contains(_ text: String) -> Bool {
            switch self {
            case .one(let one): one == text
            case .several(let texts): texts.contains(text)
            }
        }
    }

    /// Always succeeds: `TokenCheck` checks the claims, in an order of its own.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// The claim `authorization`: the token's trip or vehicle, `*` for any. An empty id counts as missing.
struct Authorization: Codable, Hashable {
    let tripID: String?
    let vehicleID: String?
    /// Whether the claim has other members, such as `taskid` of deliveries.
    let hasOthers: Bool

    init(tripID: String?, vehicleID: String?) {
        self.tripID = tripID
        self.vehicleID = vehicleID
        hasOthers = false
    }

    var isEmpty: Bool { tripID == nil && vehicleID == nil && !hasOthers }

    private struct Name: CodingKey {
        static let trip = Name(stringValue: "tripid")
        static let vehicle = Name(stringValue: "vehicleid")

        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        func text(_ name: Name) throws -> String? {
            try members.decodeIfPresent(String.self, forKey: name).flatMap { $0.isEmpty ? nil : $0 }
        }
        tripID = try text(.trip)
        vehicleID = try text(.vehicle)
        hasOthers = members.allKeys.contains { name in
            guard name.stringValue != "tripid", name.stringValue != "vehicleid" else { return false }
            if let text = try? members.decode(String.self, forKey: name) { return !text.isEmpty }
            return (try? members.decode([String].self, forKey: name)).map { !$0.isEmpty } ?? false
        }
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Name.self)
        try members.encodeIfPresent(tripID, forKey: .trip)
        try members.encodeIfPresent(vehicleID, forKey: .vehicle)
    }
}
