import ArgumentParser
import FleetEngine
import FoundationEssentials

/// Options for the names of the stops of a ride that is booked.
struct StopNameOptions: ParsableArguments {
    /// Maximum length of a name, in characters. The screen shows no more.
    private static let mostCharacters = 60
    /// Maximum length of a trip attribute in Fleet Engine, in characters: key, colon and value together.
    private static let mostInAttribute = 256
    private static let stopsKey = "stop_names"

    @Option(help: ArgumentHelp("Name of the pickup.", valueName: "text"))
    var fromName: String?

    @Option(help: ArgumentHelp("Name of the drop-off.", valueName: "text"))
    var toName: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Name of a --via stop; may be repeated, in the order of the stops.", valueName: "text"))
    var viaName: [String] = []

    func validate() throws {
        let names = ["--from-name": [fromName].compactMap { $0 }, "--to-name": [toName].compactMap { $0 }, "--via-name": viaName]
        for (option, texts) in names.sorted(by: { $0.key < $1.key }) {
            guard texts.allSatisfy({ (1...Self.mostCharacters).contains($0.count) }) else {
                throw ValidationError("\(option) must have 1 to \(Self.mostCharacters) characters.")
            }
        }
        guard !viaName.isEmpty, Self.isTooLong(try Self.list(viaName)) else { return }
        throw ValidationError("the names in --via-name are too long in total: shorten them.")
    }

    /// Returns trip attributes with the names of the stops and the kind of the trip. If the names of the stops on the way come from the
    /// map, and together are too long for an attribute, all of them are left out.
    /// - Parameters:
    ///   - from: the pickup's name on the map; nil if the user gave its coordinates. `--from-name` takes precedence.
    ///   - to: the same for the drop-off.
    ///   - via: the same for the stops.
    ///   - isOrder: whether the trip is an order; a ride gets no attribute for its kind.
    func attributes(from: String? = nil, to: String? = nil, via: [String?] = [], isOrder: Bool = false) throws -> [String: String] {
        var attributes = isOrder ? [TripKind.attributeKey: TripKind.order.rawValue] : [:]
        attributes["pickup_name"] = fromName ?? from
        attributes["dropoff_name"] = toName ?? to
        if !viaName.isEmpty {
            attributes[Self.stopsKey] = try Self.list(viaName)
        } else if via.contains(where: { $0 != nil }) {
            let list = try Self.list(via.map { $0 ?? "" })
            attributes[Self.stopsKey] = Self.isTooLong(list) ? nil : list
        }
        return attributes
    }

    private static func list(_ names: [String]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(names), as: UTF8.self)
    }

    private static func isTooLong(_ list: String) -> Bool { stopsKey.count + 1 + list.count > mostInAttribute }
}
