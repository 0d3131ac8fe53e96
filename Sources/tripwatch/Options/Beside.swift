/// Something that options carry and no flag says: the parser hands its default on as it is.
struct Beside<Value: Sendable>: Codable, Sendable {
    private struct NotCoded: Error {}

    var value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { throw NotCoded() }
    func encode(to encoder: any Encoder) throws {}
}
