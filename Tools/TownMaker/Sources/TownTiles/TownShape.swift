import DemoTown
import Geo
import VectorTiles

/// A feature of the town for a map file, in the schema of Protomaps (https://docs.protomaps.com/basemaps/layers). In this schema, the roads
/// themselves have the names and one-way flags, so a tile holds no line twice.
struct TownShape {
    enum Layer: String, CaseIterable {
        case landuse, water, roads, buildings, places, pois
    }

    let layer: Layer
    let kind: GeometryKind
    let tags: [TownTag]
    let parts: [[MercatorPoint]]
    /// The bounding box on the Mercator square.
    let box: PlaneBox
    /// The lowest zoom whose tiles show the feature.
    let minimumZoom: Int

    private typealias Look = (layer: Layer, kind: String, detail: String?, minimumZoom: Int)

    init(_ feature: DemoTown.Feature) {
        let look = Self.look(of: feature)
        (layer, minimumZoom) = (look.layer, look.minimumZoom)
        switch feature.geometry {
        case .point(let coordinate): (kind, parts) = (.point, [[WebMercator.project(coordinate)]])
        case .line(let line): (kind, parts) = (.line, [line.map(WebMercator.project)])
        case .polygon(let rings): (kind, parts) = (.polygon, rings.map { $0.map(WebMercator.project) })
        }
        var tags = [TownTag("kind", .text(look.kind))]
        if let detail = look.detail { tags.append(TownTag("kind_detail", .text(detail))) }
        // Maps write names at points, not at areas. The area's name belongs to a point feature inside the area.
        if let name = feature.name, kind != .polygon { tags.append(TownTag("name", .text(name))) }
        if feature.rank > 0, kind != .polygon { tags.append(TownTag("rank", .number(UInt64(feature.rank)))) }
        if feature.isBridge { tags.append(TownTag("is_bridge", .yes)) }
        if feature.isOneWay { tags.append(TownTag("oneway", .yes)) }
        self.tags = tags
        var box = PlaneBox.empty
        for part in parts { for point in part { box.include(x: point.x, y: point.y) } }
        self.box = box
    }

    private static func look(of feature: DemoTown.Feature) -> Look {
        let isPoint = if case .point = feature.geometry { true } else { false }
        switch feature.kind {
        case .ringRoad: return (.roads, "major_road", "trunk", 9)
        case .primary: return (.roads, "major_road", "primary", 9)
        case .secondary: return (.roads, "major_road", "secondary", 10)
        case .tertiary: return (.roads, "medium_road", "tertiary", 11)
        case .residential: return (.roads, "minor_road", "residential", 12)
        case .service: return (.roads, "minor_road", "service", 13)
        case .path: return (.roads, "path", "path", 13)
        case .railway: return (.roads, "rail", "rail", 9)
        case .station: return isPoint ? (.pois, "station", nil, 12) : (.buildings, "building", nil, 13)
        case .river: return (.water, "river", nil, 9)
        case .canal: return (.water, "canal", nil, 11)
        case .stream: return (.water, "stream", nil, 12)
        case .water: return (.water, "water", nil, 9)
        case .park: return (.landuse, "park", nil, 10)
        case .wood: return (.landuse, "wood", nil, 9)
        case .farmland: return (.landuse, "farmland", nil, 10)
        case .meadow: return (.landuse, "meadow", nil, 11)
        case .cemetery: return (.landuse, "cemetery", nil, 11)
        case .sportsGround: return (.landuse, "pitch", nil, 12)
        case .publicGround: return (.landuse, "university", nil, 12)
        case .residentialArea: return (.landuse, "residential", nil, 9)
        case .industrialArea: return (.landuse, "industrial", nil, 10)
        case .railwayArea: return (.landuse, "railway", nil, 11)
        case .square: return (.landuse, "pedestrian", nil, 13)
        case .building: return (.buildings, "building", nil, 14)
        case .place:
            switch feature.rank {
            case 0: return (.places, "locality", "town", 9)
            case 1: return (.places, "locality", "village", 9)
            default: return (.places, "neighbourhood", "suburb", 11)
            }
        case .landmark: return (.pois, "landmark", nil, 13)
        }
    }
}
