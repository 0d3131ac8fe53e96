import BoundedJSON
import FoundationEssentials

/// The useful part of a tile archive's JSON: PMTiles' metadata, or the `json` row of MBTiles.
package struct TileMetadata: Equatable, Sendable {
    /// The largest supported JSON, in bytes; larger JSON is ignored.
    package static let maximumByteCount = 4 << 20
    private static let maximumLayerCount = 256

    /// The map's name as written in the file, not yet safe to print.
    package var name: String?
    /// The attribution as written in the file, usually HTML.
    package var attribution: String?
    /// The names of the layers in `vector_layers`.
    package var layerNames: [String] = []

    package init() {}

    /// Reads all fields that can be read, since invalid metadata is no reason to refuse an archive.
    package init(json: [UInt8]) {
        guard json.count <= Self.maximumByteCount, let document = try? JSONDecoder().decodeBounded(Document.self, from: Data(json)) else {
            return
        }
        name = document.name
        attribution = document.attribution
        layerNames = document.layerNames
        guard layerNames.isEmpty, let inner = document.inner else { return }
        layerNames = (try? JSONDecoder().decodeBounded(Document.self, from: Data(inner.utf8)))?.layerNames ?? []
    }

    private struct Document: Decodable {
        var name: String?
        var attribution: String?
        /// JSON text inside a JSON value, as in files that were converted from MBTiles.
        var inner: String?
        var layerNames: [String] = []

        private enum Keys: String, CodingKey {
            case name, attribution, json
            case layers = "vector_layers"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Keys.self)
            name = try? values.decode(String.self, forKey: .name)
            attribution = try? values.decode(String.self, forKey: .attribution)
            inner = try? values.decode(String.self, forKey: .json)
            let layers = (try? values.decode([Layer].self, forKey: .layers)) ?? []
            layerNames = layers.prefix(TileMetadata.maximumLayerCount).compactMap(\.id)
        }
    }

    private struct Layer: Decodable {
        var id: String?

        private enum Keys: String, CodingKey { case id }

        init(from decoder: any Decoder) throws {
            id = try? decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .id)
        }
    }
}
