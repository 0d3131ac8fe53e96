import JWTKit

/// The claims that this program reads from a token.
struct TokenClaims: JWTPayload {
    let iss: String?
    let sub: String?
    let aud: Audience?
    /// The time of issue, in seconds since 1970.
    let iat: Double?
    /// The time from which the token is valid, in seconds since 1970.
    let nbf: Double?
    /// The time of expiry, in seconds since 1970.
    let exp: Double?
    let authorization: Authorization?

    /// The value of the claim `aud`: one audience, or a list of audiences.
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

    /// Does nothing, because `TokenCheck` checks the claims in its own order.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// The claim `authorization`: the trip, vehicle or delivery that a token is for. The id `*` means any, and an empty id means none.
struct Authorization: Codable, Hashable {
    let tripID: String?
    let vehicleID: String?
    let deliveries: DeliveryClaims
    let isReadOnly: Bool
    /// Whether the claim also has ids that this type does not know.
    let hasOthers: Bool

    init(tripID: String?, vehicleID: String?, deliveries: DeliveryClaims, isReadOnly: Bool) {
        self.tripID = tripID
        self.vehicleID = vehicleID
        self.deliveries = deliveries
        self.isReadOnly = isReadOnly
        hasOthers = false
    }

    var isEmpty: Bool { tripID == nil && vehicleID == nil && deliveries.isEmpty && !hasOthers }

    private struct Name: CodingKey, Hashable {
        static let trip = Name(stringValue: "tripid")
        static let vehicle = Name(stringValue: "vehicleid")
        static let tracking = Name(stringValue: "trackingid")
        static let task = Name(stringValue: "taskid")
        static let tasks = Name(stringValue: "taskids")
        static let deliveryVehicle = Name(stringValue: "deliveryvehicleid")
        static let trusted = Name(stringValue: "trusted")
        static let readOnly = Name(stringValue: "readonly")
        static let known: Set<String> = [
            "tripid", "vehicleid", "trackingid", "taskid", "taskids", "deliveryvehicleid", "trusted", "readonly",
        ]

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
        func truth(_ name: Name) throws -> Bool { try members.decodeIfPresent(Bool.self, forKey: name) ?? false }
        tripID = try text(.trip)
        vehicleID = try text(.vehicle)
        deliveries = DeliveryClaims(
            trackingID: try text(.tracking), taskID: try text(.task),
            taskIDs: try members.decodeIfPresent([String].self, forKey: .tasks)?.filter { !$0.isEmpty } ?? [],
            vehicleID: try text(.deliveryVehicle), isTrusted: try truth(.trusted))
        isReadOnly = try truth(.readOnly)
        hasOthers = members.allKeys.contains { name in
            guard !Name.known.contains(name.stringValue) else { return false }
            if let text = try? members.decode(String.self, forKey: name) { return !text.isEmpty }
            return (try? members.decode([String].self, forKey: name)).map { !$0.isEmpty } ?? false
        }
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Name.self)
        try members.encodeIfPresent(tripID, forKey: .trip)
        try members.encodeIfPresent(vehicleID, forKey: .vehicle)
        try members.encodeIfPresent(deliveries.trackingID, forKey: .tracking)
        try members.encodeIfPresent(deliveries.taskID, forKey: .task)
        if !deliveries.taskIDs.isEmpty { try members.encode(deliveries.taskIDs, forKey: .tasks) }
        try members.encodeIfPresent(deliveries.vehicleID, forKey: .deliveryVehicle)
        if deliveries.isTrusted { try members.encode(true, forKey: .trusted) }
        if isReadOnly { try members.encode(true, forKey: .readOnly) }
    }
}
