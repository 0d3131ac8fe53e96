import FoundationEssentials

extension StandardStreams {
    /// Prints a value as one line of JSON, with keys in alphabetical order.
    package func print(json value: some Encodable) { print(Self.jsonText(value)) }

    /// Returns a value as one line of JSON; `null` if the value cannot be written as JSON.
    package static func jsonText(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
