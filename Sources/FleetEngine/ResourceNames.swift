@_spi(_Unicode) import Swift

/// The reason why a text is not a resource name or id. `description` is one sentence that shows the accepted form.
public struct ResourceNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault and the accepted form; it holds no part of the text except a forbidden character.
    public let description: String
}

/// The rule for the ids of trips, vehicles, tasks and tracking, and for billable ids: valid Unicode, 1 to 64 characters, normalised to NFC, none of `/ : ? , #`.
///
/// Source: the comments of `CreateTripRequest.trip_id` and `CreateVehicleRequest.vehicle_id` in the v1 API.
public enum ResourceID {
    /// The most characters of an id, counted as Unicode scalars.
    public static let maximumLength = 64
    /// The characters that no id may have, because names and paths use them.
    public static let forbidden: Set<Unicode.Scalar> = ["/", ":", "?", ",", "#"]

    /// - Throws: `ResourceNameError` that names the first thing wrong with `text`.
    public static func check(_ text: String, kind: String) throws(ResourceNameError) {
        // As good as all ids, at each call of a server's.
        if isPlain(text) { return }
        guard !text.isEmpty else { throw ResourceNameError(description: "a \(kind) must not be empty") }
        guard text.unicodeScalars.prefix(maximumLength + 1).count <= maximumLength else {
            throw ResourceNameError(description: "a \(kind) must have at most \(maximumLength) characters")
        }
        if let found = text.unicodeScalars.first(where: forbidden.contains) {
            throw ResourceNameError(description: "a \(kind) must not contain '\(found)' (nor any of / : ? , #)")
        }
        if text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) {
            throw ResourceNameError(description: "a \(kind) must not contain control characters")
        }
        guard isNormalised(text) else { throw ResourceNameError(description: "a \(kind) must be normalised to Unicode NFC") }
    }

    /// Whether a text is letters and digits of ASCII, hyphens, underscores and dots, and as long as an id may be.
    private static func isPlain(_ text: String) -> Bool {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= maximumLength else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case 0x61...0x7a, 0x30...0x39, 0x41...0x5a, 0x2d, 0x2e, 0x5f: true
            default: false
            }
        }
    }

    private static func isNormalised(_ text: String) -> Bool {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return true }
        return text._nfc.elementsEqual(text.unicodeScalars)
    }
}

/// `providers/{provider}/trips/{trip}`.
public struct TripName: Hashable, Sendable, CustomStringConvertible {
    /// The provider's id: its Cloud project id.
    public let provider: String
    /// The bare trip id.
    public let trip: String

    /// The name of trip `trip` of `provider`.
    /// - Throws: `ResourceNameError` where one of the two breaks the rule of `ResourceID`.
    public init(provider: String, trip: String) throws(ResourceNameError) {
        try ResourceID.check(provider, kind: "provider id")
        try ResourceID.check(trip, kind: "trip id")
        self.provider = provider
        self.trip = trip
    }

    /// Reads the full form.
    public init(_ text: String) throws(ResourceNameError) {
        let parts = try ResourceID.parse(
            text, collection: "trips", kind: "trip", accepted: "providers/{provider}/trips/{trip}")
        try self.init(provider: parts.provider, trip: parts.id)
    }

    public var description: String { "providers/\(provider)/trips/\(trip)" }
}

/// `providers/{provider}/vehicles/{vehicle}`.
public struct VehicleName: Hashable, Sendable, CustomStringConvertible {
    /// The provider's id: its Cloud project id.
    public let provider: String
    /// The bare vehicle id.
    public let vehicle: String

    /// The name of vehicle `vehicle` of `provider`.
    /// - Throws: `ResourceNameError` where one of the two breaks the rule of `ResourceID`.
    public init(provider: String, vehicle: String) throws(ResourceNameError) {
        try ResourceID.check(provider, kind: "provider id")
        try ResourceID.check(vehicle, kind: "vehicle id")
        self.provider = provider
        self.vehicle = vehicle
    }

    /// Reads the full form.
    public init(_ text: String) throws(ResourceNameError) {
        let parts = try ResourceID.parse(
            text, collection: "vehicles", kind: "vehicle", accepted: "providers/{provider}/vehicles/{vehicle}")
        try self.init(provider: parts.provider, vehicle: parts.id)
    }

    public var description: String { "providers/\(provider)/vehicles/\(vehicle)" }
}

/// `providers/{provider}`, the parent of trips, vehicles and tasks.
public struct ProviderName: Hashable, Sendable, CustomStringConvertible {
    /// The provider's id: its Cloud project id.
    public let provider: String

    /// The name of `provider`.
    /// - Throws: `ResourceNameError` where it breaks the rule of `ResourceID`.
    public init(provider: String) throws(ResourceNameError) {
        try ResourceID.check(provider, kind: "provider id")
        self.provider = provider
    }

    /// Reads the full form.
    public init(_ text: String) throws(ResourceNameError) {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "providers" else {
            throw ResourceNameError(description: "not a provider name; the form is providers/{provider}")
        }
        try self.init(provider: String(parts[1]))
    }

    public var description: String { "providers/\(provider)" }
}

extension ResourceID {
    /// The two ids of `providers/{provider}/{collection}/{id}`, unchecked.
    /// - Throws: `ResourceNameError` that calls the resource `kind`, where `text` has another form.
    static func parse(
        _ text: String, collection: String, kind: String, accepted: String
    ) throws(ResourceNameError) -> (provider: String, id: String) {
        // The search runs over bytes, as every call has a name and a search over characters takes several times as long.
        var rest = text.utf8[...]
        guard let providers = rest.nextSegment(), let provider = rest.nextSegment(), let found = rest.nextSegment(),
            !rest.contains(UInt8(ascii: "/")), providers.elementsEqual("providers".utf8), found.elementsEqual(collection.utf8)
        else {
            throw ResourceNameError(description: "not a \(kind) name; the form is \(accepted)")
        }
        return (String(Substring(provider)), String(Substring(rest)))
    }
}

extension Substring.UTF8View {
    /// Removes and returns the bytes before the next slash, and removes the slash; nil without a slash.
    fileprivate mutating func nextSegment() -> Substring.UTF8View? {
        guard let slash = firstIndex(of: UInt8(ascii: "/")) else { return nil }
        defer { self = self[index(after: slash)...] }
        return self[..<slash]
    }
}
