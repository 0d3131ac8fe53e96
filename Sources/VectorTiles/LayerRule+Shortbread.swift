extension LayerRule {
    /// Rules for https://shortbread-tiles.org/schema/1.0/
    static let shortbread: [String: LayerRule] = [
        "ocean": LayerRule(classKey: "kind", areas: Table(fallback: .ocean)),
        "water_polygons": LayerRule(
            classKey: "kind", areas: Table(classes: ["glacier": .ice], fallback: .water, dropped: ["swimming_pool"])),
        "water_polygons_labels": LayerRule(classKey: "kind", points: Table(fallback: .waterName), isNamed: true),
        "water_lines": LayerRule(classKey: "kind", lines: Table(classes: waterways)),
        "water_lines_labels": LayerRule(classKey: "kind", lines: Table(classes: waterways), isLabelLayer: true, isNamed: true),
        "land": LayerRule(classKey: "kind", areas: Table(classes: ground)),
        "sites": LayerRule(classKey: "kind", areas: Table(classes: ground)),
        "buildings": LayerRule(classKey: "kind", areas: Table(fallback: .building)),
        "streets": LayerRule(classKey: "kind", lines: shortbreadRoads),
        "street_labels": LayerRule(classKey: "kind", lines: shortbreadRoads, isLabelLayer: true, isNamed: true),
        "street_polygons": LayerRule(
            classKey: "kind",
            areas: Table(classes: [
                "pedestrian": .pedestrianArea, "footway": .pedestrianArea, "path": .pedestrianArea, "apron": .aerodrome,
                "helipad": .aerodrome,
            ])),
        "pier_lines": LayerRule(classKey: "kind", lines: Table(fallback: .pier)),
        "pier_polygons": LayerRule(classKey: "kind", areas: Table(fallback: .pedestrianArea)),
        "ferries": LayerRule(classKey: "kind", lines: Table(fallback: .ferry)),
        "boundaries": LayerRule(lines: Table(), adminLevelKey: "admin_level"),
        "boundary_labels": LayerRule(points: Table(), isNamed: true, adminLevelKey: "admin_level"),
        "place_labels": LayerRule(
            classKey: "kind",
            points: Table(
                classes: places.merging(["capital": .city, "state_capital": .city]) { $1 }, marked: ["capital"], mark: .capital),
            isNamed: true),
        "public_transport": LayerRule(
            classKey: "kind",
            points: Table(classes: [
                "station": .station, "halt": .station, "ferry_terminal": .station, "tram_stop": .tramStop,
                "bus_stop": .busStop, "bus_station": .busStop,
            ]),
            isNamed: true),
        "addresses": LayerRule(
            points: Table(fallback: .houseNumber), isNamed: true, nameKeys: ["housenumber", "number"], isDeferred: true),
    ]

    private static let shortbreadRoads = Table(
        classes: roads.merging(rails) { $1 }.merging([
            "busway": .service, "bus_guideway": .service, "runway": .aeroway, "taxiway": .aeroway,
        ]) { $1 })
}
