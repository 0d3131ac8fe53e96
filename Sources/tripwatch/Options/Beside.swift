/// A value that options carry without a flag: the parser passes its default on unchanged.
struct Beside<Value: Sendable>: Codable, Sendable {
    private struct NotCoded: Error {}

    var value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { throw NotCoded() }
    func encode(to encoder: any Encoder) throws {}
}
