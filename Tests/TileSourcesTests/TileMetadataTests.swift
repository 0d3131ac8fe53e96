import Testing

@testable import TileSources

@Suite struct TileMetadataTests {
    private func read(_ json: String) -> TileMetadata { TileMetadata(json: Array(json.utf8)) }

    @Test("name, attribution and layers are read, wherever the layers are")
    func whole() {
        let plain = read(#"{"name":"N","attribution":"A","vector_layers":[{"id":"roads","fields":{}},{"id":"water"}],"more":[1,{}]}"#)
        #expect(plain.name == "N" && plain.attribution == "A" && plain.layerNames == ["roads", "water"])
        #expect(read(#"{"json":"{\"vector_layers\":[{\"id\":\"streets\"}]}"}"#).layerNames == ["streets"])
    }

    @Test(
        "only members of a wrong type are left out",
        arguments: [
            #"{"name":7,"attribution":"A"}"#, #"{"name":null,"attribution":"A","vector_layers":"roads"}"#,
            #"{"attribution":"A","vector_layers":[1,2]}"#, #"{"attribution":"A","vector_layers":{"id":"roads"}}"#,
            #"{"attribution":"A","json":"{broken"}"#, #"{"attribution":"A","vector_layers":[{"id":null},{"name":"x"}]}"#,
        ])
    func types(json: String) {
        var expected = TileMetadata()
        expected.attribution = "A"
        #expect(read(json) == expected)
    }

    @Test(
        "a text that is not an object gives nothing", arguments: ["", "[]", "7", "\"x\"", "{", "nul", "{\"name\":\"\\ud800\"}", "\u{feff}"])
    func broken(json: String) {
        #expect(read(json).layerNames.isEmpty)
        #expect(read(json).attribution == nil)
    }

    @Test("deep, long and large documents do not take for ever")
    func hostile() {
        for piece in ["[", "{\"a\":", "[{\"vector_layers\":["] {
            #expect(read(String(repeating: piece, count: 200_000)) == TileMetadata())
        }
        let layers = Array(repeating: #"{"id":"x"}"#, count: 5000).joined(separator: ",")
        #expect(read(#"{"vector_layers":["# + layers + "]}").layerNames.count == 256)
        let large = #"{"name":""# + String(repeating: "x", count: TileMetadata.maximumByteCount) + #""}"#
        #expect(read(large) == TileMetadata())
    }
}
