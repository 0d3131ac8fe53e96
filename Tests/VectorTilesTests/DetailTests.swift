import Testing
import VectorTiles

/// Tests of the details that a rider needs at high zooms, and of those that an atlas shows at low zooms.
@Suite struct DetailTests {
    private static let numbers: [(TileSchema, String, [(String, String)])] = [
        (.openMapTiles, "housenumber", [("housenumber", "7 a")]), (.shortbread, "addresses", [("housenumber", "7 a")]),
        (.shortbread, "addresses", [("number", "7 a")]), (.protomaps, "buildings", [("kind", "address"), ("addr_housenumber", "7 a")]),
        (.mapboxStreets, "housenum_label", [("house_num", "7 a")]),
    ]

    @Test("a house has its number in every schema, and never the name of a resident", arguments: numbers.indices)
    func houseNumbers(index: Int) throws {
        let (schema, layer, tags) = Self.numbers[index]
        let bytes = TileWriter.tile(layer: layer, [.point(5, 5, tags + [("name", "Madeup & Sons")])])
        let tile = try VectorTileDecoder(languages: ["de"], schema: schema).decode(bytes, id: .world).houses
        #expect(tile.classes == [.houseNumber] && tile.name(of: 0) == "7 a")
        let bare = TileWriter.tile(layer: layer, [.point(5, 5, tags.filter { $0.0 == "kind" } + [("name", "Madeup & Sons")])])
        #expect(try VectorTileDecoder(schema: schema).decode(bare, id: .world).houses.featureCount == 0)
    }

    @Test("stations, stops and entrances; an entrance needs no name")
    func stops() throws {
        let cases: [(TileSchema, String, [(String, String)], MapClass?)] = [
            (.openMapTiles, "poi", [("class", "railway"), ("subclass", "subway"), ("name", "N")], .station),
            (.openMapTiles, "poi", [("class", "railway"), ("subclass", "halt"), ("name", "N")], .station),
            (.openMapTiles, "poi", [("class", "railway"), ("subclass", "tram_stop"), ("name", "N")], .tramStop),
            (.openMapTiles, "poi", [("class", "railway"), ("subclass", "tram_stop")], nil),
            (.openMapTiles, "poi", [("class", "bus"), ("subclass", "bus_stop"), ("name", "N")], .busStop),
            (.openMapTiles, "poi", [("subclass", "bus_station"), ("class", "bus"), ("name", "N")], .busStop),
            (.openMapTiles, "poi", [("class", "bus"), ("subclass", "bus_stop")], nil),
            (.openMapTiles, "poi", [("class", "entrance"), ("subclass", "subway_entrance")], .entrance),
            (.openMapTiles, "poi", [("class", "shop"), ("subclass", "stationery"), ("name", "N")], nil),
            (.shortbread, "public_transport", [("kind", "station"), ("name", "N")], .station),
            (.shortbread, "public_transport", [("kind", "tram_stop"), ("name", "N")], .tramStop),
            (.shortbread, "public_transport", [("kind", "bus_stop"), ("name", "N")], .busStop),
            (.protomaps, "pois", [("kind", "bus_stop"), ("name", "N")], .busStop),
            (.protomaps, "pois", [("kind", "station"), ("name", "N")], .station),
            (.mapboxStreets, "rail_station_label", [("maki", "rail-metro"), ("name", "N")], .station),
            (.mapboxStreets, "rail_station_label", [("maki", "entrance")], .entrance),
        ]
        for (schema, layer, tags, expected) in cases {
            let tile = try VectorTileDecoder(schema: schema).decode(TileWriter.tile(layer: layer, [.point(5, 5, tags)]), id: .world)
            #expect(tile.classes == (expected.map { [$0] } ?? []), "\(schema) \(layer) \(tags)")
        }
    }

    @Test("one-way streets have their direction in every schema that states it")
    func oneWay() throws {
        let cases: [(TileSchema, String, [(String, String)], FeatureFlags)] = [
            (.openMapTiles, "transportation", [("class", "minor"), ("oneway", "1")], .oneWay),
            (.openMapTiles, "transportation", [("class", "minor"), ("oneway", "-1")], .oneWayBack),
            (.openMapTiles, "transportation", [("class", "minor"), ("oneway", "0")], []),
            (.protomaps, "roads", [("kind", "minor_road"), ("oneway", "yes")], .oneWay),
            (.shortbread, "streets", [("kind", "residential"), ("oneway", "true")], .oneWay),
            (.shortbread, "streets", [("kind", "residential"), ("oneway_reverse", "true")], .oneWayBack),
            (.mapboxStreets, "road", [("class", "street"), ("oneway", "true")], .oneWay),
        ]
        for (schema, layer, tags, expected) in cases {
            let bytes = TileWriter.tile(layer: layer, [.line([(0, 0), (100, 100)], tags)])
            #expect(try VectorTileDecoder(schema: schema).decode(bytes, id: .world).flags == [expected], "\(schema) \(tags)")
        }
    }

    @Test("the capital of a country is distinguished from that of a state")
    func capitals() throws {
        let cases: [(TileSchema, String, [(String, String)], FeatureFlags)] = [
            (.openMapTiles, "place", [("class", "city"), ("capital", "2")], .capital),
            (.openMapTiles, "place", [("class", "city"), ("capital", "4")], []),
            (.protomaps, "places", [("kind", "locality"), ("kind_detail", "city"), ("capital", "yes")], .capital),
            (.protomaps, "places", [("kind", "locality"), ("kind_detail", "city"), ("capital", "no")], []),
            (.shortbread, "place_labels", [("kind", "capital")], .capital),
            (.shortbread, "place_labels", [("kind", "state_capital")], []),
            (.mapboxStreets, "place_label", [("type", "city"), ("capital", "2")], .capital),
        ]
        for (schema, layer, tags, expected) in cases {
            let bytes = TileWriter.tile(layer: layer, [.point(5, 5, tags + [("name", "N")])])
            let tile = try VectorTileDecoder(schema: schema).decode(bytes, id: .world)
            #expect(tile.classes == [.city] && tile.flags == [expected], "\(schema) \(tags)")
        }
    }

    @Test("from afar, a motorway is labelled with its (first) number; close up, and on other roads, the label is the name")
    func references() throws {
        let cases: [(TileSchema, String, String, String, String)] = [
            (.openMapTiles, "transportation_name", "class", "motorway", "ref"), (.shortbread, "street_labels", "kind", "motorway", "ref"),
            (.protomaps, "roads", "kind", "highway", "shield_text"), (.mapboxStreets, "road_label", "class", "motorway", "ref"),
        ]
        for (schema, layer, key, value, number) in cases {
            let tags = [(key, value), ("name", "Ring Way"), (number, "A 7;E 45")]
            let motorway = TileWriter.tile(layer: layer, [.line([(0, 0), (100, 100)], tags)])
            let names = try [7, 11, 12, 14].map { zoom in
                let id = try #require(TileID(zoom: zoom, x: 0, y: 0))
                return try VectorTileDecoder(schema: schema).decode(motorway, id: id).name(of: 0)
            }
            #expect(names == ["A 7", "A 7", "Ring Way", "Ring Way"], "\(schema)")
        }
        let road: [(String, String)] = [("class", "primary"), ("name", "Ring Way"), ("ref", "B 7")]
        let bytes = TileWriter.tile(layer: "transportation_name", [.line([(0, 0), (100, 100)], road)])
        #expect(try VectorTileDecoder(schema: .openMapTiles).decode(bytes, id: .world).name(of: 0) == "Ring Way")
    }

    @Test("seas have names of their own, apart from lakes")
    func seas() throws {
        for (value, expected) in [("sea", MapClass.seaName), ("ocean", .seaName), ("lake", .waterName)] {
            let bytes = TileWriter.tile(layer: "water_name", [.point(5, 5, [("class", value), ("name", "N")])])
            #expect(try VectorTileDecoder(schema: .openMapTiles).decode(bytes, id: .world).classes == [expected])
        }
    }
}
