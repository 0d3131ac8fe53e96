import Testing
import VectorTiles

@Suite struct SchemaTests {
    @Test("the schema is recognised by the layers")
    func detection() {
        #expect(TileSchema.detect(layerNames: ["water", "transportation", "building"]) == .openMapTiles)
        #expect(TileSchema.detect(layerNames: ["earth", "roads", "water", "places"]) == .protomaps)
        #expect(TileSchema.detect(layerNames: ["ocean", "streets", "land"]) == .shortbread)
        #expect(TileSchema.detect(layerNames: ["road", "water", "landuse"]) == .mapboxStreets)
        #expect(TileSchema.detect(layerNames: ["water_polygons"]) == .shortbread)
        #expect(TileSchema.detect(layerNames: ["something"]) == .openMapTiles)
        #expect(TileSchema.detect(layerNames: []) == .openMapTiles)
    }

    @Test("an archive's schema is known only by its roads")
    func identification() {
        #expect(TileSchema.identify(layerNames: ["water", "landuse"]) == nil)
        #expect(TileSchema.identify(layerNames: ["water", "roads", "earth"]) == .protomaps)
        #expect(TileSchema.identify(layerNames: ["water", "transportation"]) == .openMapTiles)
        for schema in TileSchema.allCases { #expect(schema.attribution.hasSuffix("© OpenStreetMap contributors")) }
    }

    /// Lines of one layer with their expected classes; nil for a line that is left out.
    private static let lines: [(TileSchema, String, [(String, String)], MapClass?)] = [
        (.openMapTiles, "transportation", [("class", "motorway")], .motorway),
        (.openMapTiles, "transportation", [("class", "minor")], .street),
        (.openMapTiles, "transportation", [("class", "path"), ("subclass", "pedestrian")], .pedestrian),
        (.openMapTiles, "transportation", [("class", "path"), ("subclass", "steps")], nil),
        (.openMapTiles, "transportation", [("class", "primary_construction")], nil),
        (.openMapTiles, "transportation", [("class", "rail"), ("subclass", "subway")], .transit),
        (.openMapTiles, "waterway", [("class", "ditch")], .stream),
        (.openMapTiles, "boundary", [("admin_level", "2")], .countryBoundary),
        (.openMapTiles, "boundary", [("admin_level", "4"), ("maritime", "1")], nil),
        (.openMapTiles, "boundary", [("admin_level", "8")], nil),
        (.protomaps, "roads", [("kind", "major_road"), ("kind_detail", "trunk")], .trunk),
        (.protomaps, "roads", [("kind", "highway")], .motorway),
        (.protomaps, "roads", [("kind", "path"), ("kind_detail", "steps")], nil),
        (.protomaps, "water", [("kind", "canal")], .canal),
        (.protomaps, "boundaries", [("kind", "country"), ("kind_detail", "2")], .countryBoundary),
        (.shortbread, "streets", [("kind", "living_street")], .street),
        (.shortbread, "streets", [("kind", "tram")], .transit),
        (.shortbread, "ferries", [("kind", "ferry")], .ferry),
        (.mapboxStreets, "road", [("class", "major_rail")], .rail),
        (.mapboxStreets, "road", [("class", "street_limited")], .street),
        (.mapboxStreets, "road", [("class", "aerialway")], nil),
        (.mapboxStreets, "waterway", [("class", "river")], .river),
        (.mapboxStreets, "no_such_layer", [("class", "river")], nil),
    ]

    @Test("lines become our classes", arguments: lines.indices)
    func lineClasses(index: Int) throws {
        let (schema, layer, tags, expected) = Self.lines[index]
        let bytes = TileWriter.tile(layer: layer, [.line([(0, 0), (100, 100)], tags)])
        let tile = try VectorTileDecoder(schema: schema).decode(bytes, id: .world)
        #expect(tile.classes == (expected.map { [$0] } ?? []))
    }

    /// Areas of one layer with their expected classes; nil for an area that is left out.
    private static let areas: [(TileSchema, String, [(String, String)], MapClass?)] = [
        (.openMapTiles, "water", [("class", "ocean")], .ocean),
        (.openMapTiles, "water", [("class", "swimming_pool")], nil),
        (.openMapTiles, "landcover", [("class", "wood")], .wood),
        (.openMapTiles, "landuse", [("class", "cemetery")], .cemetery),
        (.openMapTiles, "park", [("class", "nature_reserve")], .park),
        (.openMapTiles, "transportation", [("class", "path"), ("subclass", "pedestrian")], .pedestrianArea),
        (.protomaps, "water", [("kind", "river")], .water),
        (.protomaps, "landuse", [("kind", "park")], .park),
        (.protomaps, "buildings", [("kind", "building")], .building),
        (.protomaps, "buildings", [("kind", "address")], nil),
        (.shortbread, "ocean", [], .ocean),
        (.shortbread, "water_polygons", [("kind", "glacier")], .ice),
        (.shortbread, "land", [("kind", "allotments")], .farmland),
        (.mapboxStreets, "water", [], .water),
        (.mapboxStreets, "landuse", [("class", "park")], .park),
        (.mapboxStreets, "building", [("type", "house")], .building),
    ]

    @Test("areas become our classes", arguments: areas.indices)
    func areaClasses(index: Int) throws {
        let (schema, layer, tags, expected) = Self.areas[index]
        let bytes = TileWriter.tile(layer: layer, [.polygon([[(0, 0), (100, 0), (100, 100)]], tags)])
        let tile = try VectorTileDecoder(schema: schema).decode(bytes, id: .world)
        #expect(tile.classes == (expected.map { [$0] } ?? []))
    }

    @Test("places, stations and water names need a name")
    func points() throws {
        let named: [(TileSchema, String, [(String, String)], MapClass?)] = [
            (.openMapTiles, "place", [("class", "suburb"), ("name", "N")], .suburb),
            (.openMapTiles, "place", [("class", "suburb")], nil),
            (.openMapTiles, "poi", [("class", "railway"), ("subclass", "station"), ("name", "N")], .station),
            (.openMapTiles, "poi", [("class", "shop"), ("name", "N")], nil),
            (.openMapTiles, "housenumber", [("housenumber", "7"), ("name", "N")], nil),
            (.protomaps, "places", [("kind", "locality"), ("kind_detail", "town"), ("name", "N")], .town),
            (.shortbread, "place_labels", [("kind", "hamlet"), ("name", "N")], .hamlet),
            (.shortbread, "boundary_labels", [("admin_level", "2"), ("name", "N")], .country),
            (.mapboxStreets, "place_label", [("type", "neighbourhood"), ("name", "N")], .quarter),
            (.mapboxStreets, "rail_station_label", [("name", "N")], .station),
        ]
        for (schema, layer, tags, expected) in named {
            let tile = try VectorTileDecoder(schema: schema).decode(TileWriter.tile(layer: layer, [.point(5, 5, tags)]), id: .world)
            #expect(tile.classes == (expected.map { [$0] } ?? []), "\(schema) \(layer) \(tags)")
        }
    }

    @Test("bridges, tunnels and ramps are marked in every schema")
    func flags() throws {
        let cases: [(TileSchema, String, [(String, String)], FeatureFlags)] = [
            (.openMapTiles, "transportation", [("class", "primary"), ("brunnel", "tunnel"), ("ramp", "1")], [.tunnel, .link]),
            (.protomaps, "roads", [("kind", "major_road"), ("is_bridge", "true")], .bridge),
            (.shortbread, "streets", [("kind", "primary"), ("bridge", "true"), ("link", "true")], [.bridge, .link]),
            (.mapboxStreets, "road", [("class", "primary"), ("structure", "bridge")], .bridge),
            (.mapboxStreets, "road", [("class", "primary"), ("structure", "none")], []),
            (.mapboxStreets, "road", [("class", "motorway_link")], .link),
        ]
        for (schema, layer, tags, expected) in cases {
            let bytes = TileWriter.tile(layer: layer, [.line([(0, 0), (100, 100)], tags)])
            #expect(try VectorTileDecoder(schema: schema).decode(bytes, id: .world).flags == [expected], "\(schema) \(tags)")
        }
    }
}
