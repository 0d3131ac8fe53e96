import FoundationEssentials
import Testing

@testable import VectorTiles

/// Tests with the conformance set of https://github.com/mapbox/mvt-fixtures.
@Suite(.enabled(if: SharedData.isPresent))
struct OfficialFixtureTests {
    private struct Info: Decodable {
        struct Validity: Decodable {
            var v1: Bool
            var v2: Bool
            var error: String?
        }
        var validity: Validity
    }

    private static func names() -> [String] { (try? SharedData.names(in: "mvt-fixtures/fixtures")) ?? [] }

    @Test("every valid fixture is read, every fatal one is refused, and none causes a crash", arguments: names())
    func conformance(name: String) throws {
        let directory = "mvt-fixtures/fixtures/" + name
        let info = try JSONDecoder().decode(Info.self, from: Data(try SharedData.bytes(directory + "/info.json")))
        let bytes = try SharedData.bytes(directory + "/tile.mvt")
        let outcome = Result { try VectorTileDecoder.inspect(bytes) }
        // Tiles 051 and 057 contain fewer points than they announce. The set calls 057 valid, but the decoder refuses both.
        let isFatal = info.validity.error == "fatal" || name == "057"
        if isFatal {
            #expect(throws: VectorTileError.self) { try outcome.get() }
        } else if info.validity.v2 || info.validity.error == "recoverable" {
            #expect(throws: Never.self) { try outcome.get() }
        }
        _ = try? VectorTileDecoder().decode(bytes, id: .world)
    }

    @Test("a fixture that is read with all its layers can be painted", arguments: names())
    func painting(name: String) throws {
        let everything = LayerRule.Table(fallback: .water)
        let rule = LayerRule(points: everything, lines: everything, areas: everything, isNamed: true)
        let bytes = try SharedData.bytes("mvt-fixtures/fixtures/" + name + "/tile.mvt")
        guard let summaries = try? VectorTileDecoder.inspect(bytes) else { return }
        let tile = try VectorTileDecoder().decode(bytes, id: .world, rules: { _ in { _ in rule } })
        tile.expectConsistent()
        let vertexCount = summaries.reduce(0) { $0 + $1.vertexCount }
        #expect(tile.vertexCount <= vertexCount)
    }

    @Test("there are 74 fixtures")
    func count() {
        #expect(Self.names().count == 74)
    }
}
