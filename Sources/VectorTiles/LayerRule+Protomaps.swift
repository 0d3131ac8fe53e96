extension LayerRule {
    /// Rules for https://docs.protomaps.com/basemaps/layers
    static let protomaps: [String: LayerRule] = [
        "water": LayerRule(
            classKey: "kind", points: Table(classes: ["ocean": .seaName, "sea": .seaName], fallback: .waterName),
            lines: Table(classes: waterways),
            areas: Table(classes: ["ocean": .ocean, "sea": .ocean], fallback: .water, dropped: ["swimming_pool"]), isNamed: true),
        "landcover": LayerRule(classKey: "kind", areas: Table(classes: ground)),
        "landuse": LayerRule(classKey: "kind", areas: Table(classes: ground)),
        "earth": LayerRule(classKey: "kind", points: Table(classes: ["island": .island]), isNamed: true),
        "buildings": LayerRule(
            classKey: "kind", points: Table(classes: ["address": .houseNumber]), areas: Table(classes: ["building": .building]),
            isNamed: true, nameKeys: ["addr_housenumber"]),
        "roads": LayerRule(classKey: "kind", detailKey: "kind_detail", lines: protomapsRoads, isNamed: true),
        "boundaries": LayerRule(
            classKey: "kind", lines: Table(classes: ["country": .countryBoundary, "region": .regionBoundary]),
            adminLevelKey: "kind_detail"),
        "places": LayerRule(
            classKey: "kind", detailKey: "kind_detail",
            points: Table(
                details: places,
                classes: [
                    "country": .country, "region": .region, "locality": .village, "macrohood": .suburb, "neighbourhood": .quarter,
                ]),
            isNamed: true),
        "pois": LayerRule(
            classKey: "kind",
            points: Table(classes: [
                "station": .station, "train_station": .station, "ferry_terminal": .station, "park": .parkName, "landmark": .pointOfInterest,
                "bus_stop": .busStop, "bus_station": .busStop,
            ]),
            isNamed: true),
    ]

    private static let protomapsRoads = Table(
        details: roads.merging(rails) { $1 }.merging(["runway": .aeroway, "taxiway": .aeroway, "pier": .pier]) { $1 },
        classes: [
            "highway": .motorway, "major_road": .primary, "medium_road": .tertiary, "minor_road": .street, "path": .path,
            "rail": .rail, "ferry": .ferry, "aeroway": .aeroway,
        ],
        dropped: ["steps", "platform", "construction"])
}
