import FoundationEssentials

extension StandardStreams {
    /// Writes a value as one line of JSON, its keys in order of the alphabet.
    package func print(json value: some Encodable) { print(Self.jsonText(value)) }

    /// A value as one line of JSON; `null` for one that JSON cannot hold.
    package static func jsonText(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
