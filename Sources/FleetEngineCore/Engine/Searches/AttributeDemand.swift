import FleetEngine
import FleetEngineAPI
import FleetEngineWire

/// The attributes that a list or search requires. They are in the `filter` of a request, or in its older fields for attributes.
struct AttributeDemand: Sendable {
    typealias Pair = (key: String, value: String)
    private typealias PlacedPair = (place: Int, value: String)

    /// Maximum number of required attributes. Source: the v1 API's comments on `required_attributes` of the list and search
    /// requests.
    static let maximumRequired = 50

    /// The indexes of the required keys.
    private var places = AttributePlaces()
    /// Pairs, all of which a vehicle must have.
    private var required: [PlacedPair] = []
    /// Groups of pairs. A vehicle must have at least one pair of each group.
    private var oneOfEach: [[PlacedPair]] = []
    /// Sets of pairs. A vehicle must have all pairs of at least one set.
    private var sets: [[PlacedPair]] = []
    private var filter: AttributeFilter?

    /// - Throws: INVALID_ARGUMENT, including for a `filter` that is combined with the older fields.
    init(
        required: [Pair], oneOfEach: [[Pair]], sets: [[Pair]], filter: String
    ) throws(FleetEngineError) {
        let count = required.count + (oneOfEach + sets).reduce(0) { $0 + $1.count }
        try Check.count(required.count, atMost: Self.maximumRequired, "required_attributes")
        try Check.count(count, atMost: 1_000, "required_one_of_attributes")
        var places = AttributePlaces()
        func placed(_ pairs: [Pair]) -> [PlacedPair] { pairs.map { (places.place(of: $0.key), $0.value) } }
        self.required = placed(required)
        self.oneOfEach = oneOfEach.map(placed)
        self.sets = sets.map(placed)
        self.filter = try AttributeFilter(filter, places: &places)
        self.places = places
        guard self.filter == nil || count == 0 else {
            throw .invalid("filter", "filter cannot be used together with required attributes")
        }
    }

    init(_ request: WireListVehiclesRequest) throws(FleetEngineError) {
        try self.init(
            required: try Self.pairs(request.requiredAttributes, "required_attributes"),
            oneOfEach: try Self.groups(request.requiredOneOfAttributes, "required_one_of_attributes"),
            sets: try Self.groups(request.requiredOneOfAttributeSets, "required_one_of_attribute_sets"), filter: request.filter)
    }

    init(_ request: WireSearchVehiclesRequest) throws(FleetEngineError) {
        func pairs(_ attributes: [WireVehicleAttribute]) -> [Pair] { attributes.map { ($0.key, $0.text) } }
        try self.init(
            required: pairs(request.requiredAttributes),
            oneOfEach: request.requiredOneOfAttributes.map { pairs($0.attributes) },
            sets: request.requiredOneOfAttributeSets.map { pairs($0.attributes) }, filter: request.filter)
    }

    /// Whether no attribute is required.
    var isEmpty: Bool { required.isEmpty && oneOfEach.isEmpty && sets.isEmpty && filter == nil }

    func isMet(by attributes: [WireVehicleAttribute]) -> Bool {
        let values = places.values(of: attributes)
        func has(_ pair: PlacedPair) -> Bool { values.text(at: pair.place) == pair.value }
        return required.allSatisfy(has) && oneOfEach.allSatisfy { $0.contains(where: has) }
            && (sets.isEmpty || sets.contains { $0.allSatisfy(has) }) && (filter?.matches(values) ?? true)
    }

    /// Reads pairs in the form `key:value`. The key has no colon; the value may have one.
    private static func pairs(_ texts: [String], _ field: String) throws(FleetEngineError) -> [Pair] {
        var pairs: [Pair] = []
        for text in texts {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw .invalid(field, "\(field): \(FleetEngineError.shown(text)) does not have the form key:value")
            }
            pairs.append((String(parts[0]), String(parts[1])))
        }
        return pairs
    }

    /// Reads groups of pairs in the form `key1:value1|key2:value2`.
    private static func groups(_ texts: [String], _ field: String) throws(FleetEngineError) -> [[Pair]] {
        var groups: [[Pair]] = []
        for text in texts {
            groups.append(try pairs(text.split(separator: "|", omittingEmptySubsequences: false).map(String.init), field))
        }
        return groups
    }
}
