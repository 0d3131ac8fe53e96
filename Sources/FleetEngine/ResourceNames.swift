@_spi(_Unicode) import Swift

/// The reason why a text is not a resource name or id. `description` is one sentence that shows the accepted form.
public struct ResourceNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault and the accepted form. The sentence shows no part of the text except one forbidden character.
    public let description: String
}

/// The rule for the ids of trips, vehicles and tasks, for tracking ids and for billable ids. An id is valid Unicode of 1 to 64 characters,
/// normalised to NFC, without control characters and without `/ : ? , #`.
///
/// Source: the comments of `CreateTripRequest.trip_id` and `CreateVehicleRequest.vehicle_id` in the v1 API.
public enum ResourceID {
    /// The maximum length of an id, in Unicode scalars.
    public static let maximumLength = 64
    /// The characters that no id may have, because names and paths use them.
    public static let forbidden: Set<Unicode.Scalar> = ["/", ":", "?", ",", "#"]

    /// Checks that `text` is a valid id. `kind` is the word for the id in error messages.
    /// - Throws: `ResourceNameError` that describes the first fault of `text`.
    public static func check(_ text: String, kind: String) throws(ResourceNameError) {
        // This fast path serves almost all ids. A server checks ids on each call.
        if isPlain(text) { return }
        guard !text.isEmpty else { throw ResourceNameError(description: "a \(kind) must not be empty") }
        guard text.unicodeScalars.prefix(maximumLength + 1).count <= maximumLength else {
            throw ResourceNameError(description: "a \(kind) must have at most \(maximumLength) characters")
        }
        if let found = text.unicodeScalars.first(where: forbidden.contains) {
            throw ResourceNameError(description: "a \(kind) must not contain any of / : ? , # (this one contains '\(found)')")
        }
        if text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) {
            throw ResourceNameError(description: "a \(kind) must not contain control characters")
        }
        guard isNormalised(text) else { throw ResourceNameError(description: "a \(kind) must be normalised to Unicode NFC") }
    }

    /// Whether a text consists of ASCII letters and digits, hyphens, underscores and dots, and is not too long for an id.
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

/// The name of a trip: `providers/{provider}/trips/{trip}`.
public struct TripName: Hashable, Sendable, CustomStringConvertible {
    /// The provider's id: its Cloud project id.
    public let provider: String
    /// The bare trip id.
    public let trip: String

    /// Creates the name of trip `trip` of `provider`.
    /// - Throws: `ResourceNameError` if one of the two ids breaks the rule of `ResourceID`.
    public init(provider: String, trip: String) throws(ResourceNameError) {
        try ResourceID.check(provider, kind: "provider id")
        try ResourceID.check(trip, kind: "trip id")
        self.provider = provider
        self.trip = trip
    }

    /// Parses a full name.
    public init(_ text: String) throws(ResourceNameError) {
        let parts = try ResourceID.parse(
            text, collection: "trips", kind: "trip", accepted: "providers/{provider}/trips/{trip}")
        try self.init(provider: parts.provider, trip: parts.id)
    }

    public var description: String { "providers/\(provider)/trips/\(trip)" }
}

/// The name of a vehicle: `providers/{provider}/vehicles/{vehicle}`.
public struct VehicleName: Hashable, Sendable, CustomStringConvertible {
    /// The provider's id: its Cloud project id.
    public let provider: String
    /// The bare vehicle id.
    public let vehicle: String

    /// Creates the name of vehicle `vehicle` of `provider`.
    /// - Throws: `ResourceNameError` if one of the two ids breaks the rule of `ResourceID`.
    public init(provider: String, vehicle: String) throws(ResourceNameError) {
        try ResourceID.check(provider, kind: "provider id")
        try ResourceID.check(vehicle, kind: "vehicle id")
        self.provider = provider
        self.vehicle = vehicle
    }

    /// Parses a full name.
    public init(_ text: String) throws(ResourceNameError) {
        let parts = try ResourceID.parse(
            text, collection: "vehicles", kind: "vehicle", accepted: "providers/{provider}/vehicles/{vehicle}")
        try self.init(provider: parts.provider, vehicle: parts.id)
    }

    public var description: String { "providers/\(provider)/vehicles/\(vehicle)" }
}

/// The name of a provider: `providers/{provider}`, the parent of trips, vehicles and tasks.
public struct ProviderName: Hashable, Sendable, CustomStringConvertible {
    /// The provider's id: its Cloud project id.
    public let provider: String

    /// Creates the name of `provider`.
    /// - Throws: `ResourceNameError` if the id breaks the rule of `ResourceID`.
    public init(provider: String) throws(ResourceNameError) {
        try ResourceID.check(provider, kind: "provider id")
        self.provider = provider
    }

    /// Parses a full name.
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
    /// Returns the two ids of `providers/{provider}/{collection}/{id}`, unchecked.
    /// - Throws: `ResourceNameError` if `text` has another form. `kind` is the word for the resource in the message.
    static func parse(
        _ text: String, collection: String, kind: String, accepted: String
    ) throws(ResourceNameError) -> (provider: String, id: String) {
        // Each call parses a name, and a search over bytes is several times as fast as a search over characters.
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
    /// Removes the bytes up to and including the next slash. Returns the bytes before the slash; nil if there is no slash.
    fileprivate mutating func nextSegment() -> Substring.UTF8View? {
        guard let slash = firstIndex(of: UInt8(ascii: "/")) else { return nil }
        defer { self = self[index(after: slash)...] }
        return self[..<slash]
    }
}
