import ArgumentParser
import FoundationEssentials

/// What the stops of a booked ride are called.
struct StopNameOptions: ParsableArguments {
    /// As much as the screen shows of one.
    private static let mostCharacters = 60
    /// What Fleet Engine takes of key, colon and value of an attribute.
    private static let mostInAttribute = 256
    private static let stopsKey = "stop_names"

    @Option(help: ArgumentHelp("Name of the pickup.", valueName: "text"))
    var fromName: String?

    @Option(help: ArgumentHelp("Name of the drop-off.", valueName: "text"))
    var toName: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Name of a stop, in the order of --via; may be repeated.", valueName: "text"))
    var viaName: [String] = []

    func validate() throws {
        let names = ["--from-name": [fromName].compactMap { $0 }, "--to-name": [toName].compactMap { $0 }, "--via-name": viaName]
        for (option, texts) in names.sorted(by: { $0.key < $1.key }) {
            guard texts.allSatisfy({ (1...Self.mostCharacters).contains($0.count) }) else {
                throw ValidationError("\(option) has 1 to \(Self.mostCharacters) characters.")
            }
        }
        guard let list = try attributes()[Self.stopsKey], list.count + Self.stopsKey.count + 1 > Self.mostInAttribute else { return }
        throw ValidationError("the names of --via-name are too long together: shorten them.")
    }

    /// The trip's attributes that say them.
    func attributes() throws -> [String: String] {
        var attributes: [String: String] = [:]
        attributes["pickup_name"] = fromName
        attributes["dropoff_name"] = toName
        if !viaName.isEmpty {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            attributes[Self.stopsKey] = String(decoding: try encoder.encode(viaName), as: UTF8.self)
        }
        return attributes
    }
}
