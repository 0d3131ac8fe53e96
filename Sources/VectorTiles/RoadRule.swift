/// The road layer of a schema, and the attributes of this layer that a router for cars uses.
///
/// No schema has speed limits, traffic lights, turn restrictions, or limits of size and weight. Older Shortbread files have no
/// one-way attributes. Protomaps and newer OpenMapTiles files have `access`. Mapbox Streets 7 has the class `street_limited` for
/// streets with restricted access. A roundabout that is divided into several lines counts as two-way, unless it has
/// one-way attributes.
struct RoadRule: Sendable {
    var schema: TileSchema
    /// The layer of the roads.
    var layer: String
    /// The layer of the roads' names, which may be the same as ``layer``.
    var nameLayer: String
    /// The attribute that decides whether a road is for cars.
    var classKey: String
    /// The attribute with the value of OpenStreetMap's `highway`; empty if the schema has no such attribute.
    var detailKey = ""
    /// Classes by ``classKey``; roads with other values are left out.
    var classes: [String: RoadClass]

    /// The values of OpenStreetMap's `highway` for roads that cars drive on.
    static let highways: [String: RoadClass] = [
        "motorway": .motorway, "motorway_link": .motorway, "trunk": .trunk, "trunk_link": .trunk, "primary": .primary,
        "primary_link": .primary, "secondary": .secondary, "secondary_link": .secondary, "tertiary": .tertiary,
        "tertiary_link": .tertiary, "residential": .street, "unclassified": .street, "road": .street, "living_street": .livingStreet,
        "service": .service,
    ]

    /// The values of `highway` that close a road to cars, whatever its class.
    static let closedHighways: Set<String> = [
        "pedestrian", "footway", "path", "track", "steps", "cycleway", "bridleway", "corridor", "busway", "bus_guideway", "raceway",
        "construction", "proposed", "escape", "platform",
    ]

    /// The values of `access` that close a road to the public.
    static let closedAccess: Set<String> = ["no", "private", "agricultural", "forestry", "emergency", "military", "permit"]

    /// The values of `service` for roads that lead to no other street.
    static let driveways: Set<String> = ["driveway", "parking_aisle", "drive-through", "drive_through", "parking"]
    static let closedServices: Set<String> = ["emergency_access", "construction", "training", "bus"]
}

extension TileSchema {
    var roadRule: RoadRule {
        switch self {
        case .openMapTiles:
            RoadRule(
                schema: self, layer: roadLayer, nameLayer: "transportation_name", classKey: "class", detailKey: "subclass",
                classes: [
                    "motorway": .motorway, "trunk": .trunk, "primary": .primary, "secondary": .secondary, "tertiary": .tertiary,
                    "minor": .street, "service": .service,
                ])
        case .protomaps:
            RoadRule(
                schema: self, layer: roadLayer, nameLayer: "roads", classKey: "kind", detailKey: "kind_detail",
                classes: ["highway": .motorway, "major_road": .primary, "medium_road": .tertiary, "minor_road": .street])
        case .shortbread: RoadRule(schema: self, layer: roadLayer, nameLayer: "street_labels", classKey: "kind", classes: RoadRule.highways)
        case .mapboxStreets:
            RoadRule(
                schema: self, layer: roadLayer, nameLayer: "road_label", classKey: "class", detailKey: "type",
                classes: RoadRule.highways.merging(["main": .secondary, "street": .street, "link": .street, "driveway": .driveway]) { $1 })
        }
    }
}
