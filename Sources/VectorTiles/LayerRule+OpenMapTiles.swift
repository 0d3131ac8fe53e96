extension LayerRule {
    /// Rules for https://openmaptiles.org/schema/
    static let openMapTiles: [String: LayerRule] = [
        "water": LayerRule(areas: Table(classes: ["ocean": .ocean, "sea": .ocean], fallback: .water, dropped: ["swimming_pool"])),
        "waterway": LayerRule(lines: Table(classes: waterways), isNamed: true),
        "landcover": LayerRule(areas: Table(classes: openMapTilesLand)),
        "landuse": LayerRule(areas: Table(classes: openMapTilesLand)),
        "park": LayerRule(points: Table(fallback: .parkName), areas: Table(fallback: .park), isNamed: true),
        "aeroway": LayerRule(
            lines: Table(classes: ["runway": .aeroway, "taxiway": .aeroway]),
            areas: Table(classes: ["aerodrome": .aerodrome, "apron": .aerodrome, "helipad": .aerodrome])),
        "building": LayerRule(areas: Table(fallback: .building)),
        "transportation": LayerRule(
            detailKey: "subclass", lines: openMapTilesRoads,
            areas: Table(classes: ["path": .pedestrianArea, "pedestrian": .pedestrianArea, "pier": .pedestrianArea])),
        "transportation_name": LayerRule(detailKey: "subclass", lines: openMapTilesRoads, isLabelLayer: true, isNamed: true),
        "boundary": LayerRule(lines: Table(), adminLevelKey: "admin_level"),
        "place": LayerRule(points: Table(classes: places), isNamed: true),
        "water_name": LayerRule(
            points: Table(classes: ["ocean": .seaName, "sea": .seaName], fallback: .waterName), lines: Table(fallback: .waterName),
            isLabelLayer: true, isNamed: true),
        "poi": LayerRule(detailKey: "subclass", points: openMapTilesStops, isNamed: true),
        "housenumber": LayerRule(points: Table(fallback: .houseNumber), isNamed: true, nameKeys: ["housenumber"], isDeferred: true),
    ]

    private static let openMapTilesStops = Table(
        details: [
            "station": .station, "halt": .station, "subway": .station, "light_rail": .station, "monorail": .station,
            "funicular": .station, "ferry_terminal": .station, "tram_stop": .tramStop, "subway_entrance": .entrance,
            "train_station_entrance": .entrance,
        ],
        classes: ["bus": .busStop])

    private static let openMapTilesRoads = Table(
        details: ["pedestrian": .pedestrian, "tram": .transit, "subway": .transit, "light_rail": .transit, "monorail": .transit],
        classes: roads.merging([
            "minor": .street, "raceway": .service, "busway": .service, "bus_guideway": .service, "transit": .transit, "rail": .rail,
            "ferry": .ferry, "pier": .pier,
        ]) { $1 },
        dropped: ["platform", "steps"])

    private static let openMapTilesLand: [String: MapClass] = [
        "wood": .wood, "forest": .wood, "grass": .grass, "farmland": .farmland, "wetland": .wetland, "sand": .sand, "ice": .ice,
        "residential": .residential, "suburb": .residential, "neighbourhood": .residential, "quarter": .residential,
        "commercial": .commercial, "retail": .commercial, "industrial": .industrial, "garages": .industrial, "quarry": .industrial,
        "military": .industrial, "railway": .railwayLand, "bus_station": .railwayLand, "school": .civic, "university": .civic,
        "college": .civic, "kindergarten": .civic, "library": .civic, "hospital": .civic, "cemetery": .cemetery, "pitch": .pitch,
        "playground": .pitch, "stadium": .pitch, "track": .pitch, "zoo": .park, "theme_park": .park,
    ]
}

extension LayerRule {
    /// The values of OpenStreetMap's tag `highway` that all schemas use, with their classes.
    static let roads: [String: MapClass] = [
        "motorway": .motorway, "trunk": .trunk, "primary": .primary, "secondary": .secondary, "tertiary": .tertiary,
        "residential": .street, "unclassified": .street, "living_street": .street, "street": .street, "pedestrian": .pedestrian,
        "service": .service, "track": .track, "path": .path, "footway": .path, "cycleway": .path, "bridleway": .path,
    ]

    /// The values of OpenStreetMap's tag `railway` that Protomaps and Shortbread use, with their classes.
    static let rails: [String: MapClass] = [
        "rail": .rail, "narrow_gauge": .rail, "funicular": .transit, "light_rail": .transit, "subway": .transit, "tram": .transit,
        "monorail": .transit,
    ]

    /// The values of OpenStreetMap's tag `waterway` that all schemas use, with their classes.
    static let waterways: [String: MapClass] = [
        "river": .river, "canal": .canal, "stream": .stream, "drain": .stream, "ditch": .stream, "tidal_channel": .stream,
    ]

    /// The values of OpenStreetMap's tag `place` that most schemas use, with their classes.
    static let places: [String: MapClass] = [
        "country": .country, "state": .region, "province": .region, "region": .region, "city": .city, "town": .town,
        "village": .village, "hamlet": .hamlet, "isolated_dwelling": .hamlet, "suburb": .suburb, "borough": .suburb,
        "quarter": .quarter, "neighbourhood": .quarter, "neighborhood": .quarter, "island": .island, "islet": .island,
    ]

    /// The values that Protomaps, Shortbread and Mapbox Streets use for land use and vegetation, with their classes.
    static let ground: [String: MapClass] = [
        "forest": .wood, "wood": .wood, "scrub": .grass, "heath": .grass, "grass": .grass, "grassland": .grass, "meadow": .grass,
        "park": .park, "garden": .park, "national_park": .park, "nature_reserve": .park, "protected_area": .park,
        "village_green": .park, "recreation_ground": .park, "golf_course": .park, "dog_park": .park, "zoo": .park,
        "playground": .pitch, "pitch": .pitch, "stadium": .pitch, "sports_center": .pitch, "sports_centre": .pitch,
        "miniature_golf": .pitch, "cemetery": .cemetery, "grave_yard": .cemetery, "allotments": .farmland, "farmland": .farmland,
        "farmyard": .farmland, "orchard": .farmland, "vineyard": .farmland, "agriculture": .farmland, "greenhouse_horticulture": .farmland,
        "plant_nursery": .farmland, "sand": .sand, "beach": .sand, "glacier": .ice, "wetland": .wetland, "swamp": .wetland,
        "marsh": .wetland, "bog": .wetland, "wet_meadow": .wetland, "residential": .residential, "urban_area": .residential,
        "commercial": .commercial, "retail": .commercial, "industrial": .industrial, "quarry": .industrial, "landfill": .industrial,
        "brownfield": .industrial, "military": .industrial, "railway": .railwayLand, "school": .civic, "university": .civic,
        "college": .civic, "kindergarten": .civic, "hospital": .civic, "prison": .civic, "aerodrome": .aerodrome,
        "airfield": .aerodrome, "pedestrian": .pedestrianArea, "platform": .pedestrianArea,
    ]
}
