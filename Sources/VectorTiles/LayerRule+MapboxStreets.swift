extension LayerRule {
    /// Rules for Mapbox Streets version 7.
    static let mapboxStreets: [String: LayerRule] = [
        "water": LayerRule(areas: Table(fallback: .water)),
        "waterway": LayerRule(lines: Table(classes: waterways)),
        "waterway_label": LayerRule(lines: Table(classes: waterways), isLabelLayer: true, isNamed: true),
        "landuse": LayerRule(areas: Table(classes: ground)),
        "landuse_overlay": LayerRule(areas: Table(classes: ["national_park": .park, "wetland": .wetland])),
        "building": LayerRule(areas: Table(fallback: .building)),
        "aeroway": LayerRule(
            classKey: "type", lines: Table(classes: ["runway": .aeroway, "taxiway": .aeroway]), areas: Table(fallback: .aerodrome)),
        "road": LayerRule(
            detailKey: "type", lines: mapboxRoads, areas: Table(classes: ["pedestrian": .pedestrianArea, "path": .pedestrianArea])),
        "road_label": LayerRule(lines: mapboxRoads, isLabelLayer: true, isNamed: true),
        "admin": LayerRule(lines: Table(), adminLevelKey: "admin_level"),
        "country_label": LayerRule(points: Table(fallback: .country), isNamed: true),
        "state_label": LayerRule(points: Table(fallback: .region), isNamed: true),
        "place_label": LayerRule(classKey: "type", points: Table(classes: places), isNamed: true),
        "marine_label": LayerRule(
            points: Table(fallback: .seaName), lines: Table(fallback: .seaName), isLabelLayer: true, isNamed: true),
        "water_label": LayerRule(points: Table(fallback: .waterName), isNamed: true),
        "rail_station_label": LayerRule(
            classKey: "maki", points: Table(classes: ["entrance": .entrance], fallback: .station), isNamed: true),
        "housenum_label": LayerRule(points: Table(fallback: .houseNumber), isNamed: true, nameKeys: ["house_num"], isDeferred: true),
    ]

    private static let mapboxRoads = Table(
        classes: roads.merging([
            "main": .secondary, "street_limited": .street, "link": .street, "motorway_link": .motorway, "major_rail": .rail,
            "minor_rail": .transit, "ferry": .ferry,
        ]) { $1 },
        dropped: ["steps", "platform"], marked: ["link", "motorway_link"])
}
