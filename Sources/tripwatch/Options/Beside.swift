/// A property of an option group that no flag can set. The parser leaves it at its default, and the command can set it later.
struct Beside<Value: Sendable>: Codable, Sendable {
    private struct NotCoded: Error {}

    var value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { throw NotCoded() }
    func encode(to encoder: any Encoder) throws {}
}
