import DemoTown
import Geo
import VectorTiles

/// A feature of the town in the words of a tile, on the Mercator square.
struct TownShape {
    let mapClass: MapClass
    let kind: GeometryKind
    let flags: FeatureFlags
    let rank: UInt8
    let name: String
    let parts: [[MercatorPoint]]
    /// Its box on the Mercator square.
    let box: PlaneBox
    /// The first zoom whose tiles have it.
    let minimumZoom: Int

    /// Nil for what no map shows.
    init?(_ feature: DemoTown.Feature) {
        guard let look = Self.look(of: feature) else { return nil }
        mapClass = look.mapClass
        minimumZoom = look.minimumZoom
        name = feature.name ?? ""
        rank = UInt8(clamping: feature.rank)
        var flags: FeatureFlags = []
        if feature.isBridge { flags.insert(.bridge) }
        if feature.isTunnel { flags.insert(.tunnel) }
        self.flags = flags
        switch feature.geometry {
        case .point(let coordinate): (kind, parts) = (.point, [[WebMercator.project(coordinate)]])
        case .line(let line): (kind, parts) = (.line, [line.map(WebMercator.project)])
        case .polygon(let rings): (kind, parts) = (.polygon, rings.map { $0.map(WebMercator.project) })
        }
        var box = PlaneBox.empty
        for part in parts { for point in part { box.include(x: point.x, y: point.y) } }
        self.box = box
    }

    private static func look(of feature: DemoTown.Feature) -> (mapClass: MapClass, minimumZoom: Int)? {
        let isPoint = if case .point = feature.geometry { true } else { false }
        switch feature.kind {
        case .ringRoad: return (.trunk, 9)
        case .primary: return (.primary, 9)
        case .secondary: return (.secondary, 10)
        case .tertiary: return (.tertiary, 11)
        case .residential: return (.street, 12)
        case .service: return (.service, 13)
        case .path: return (.path, 13)
        case .railway: return (.rail, 9)
        case .station: return isPoint ? (.station, 12) : (.building, 13)
        case .river: return (.river, 9)
        case .canal: return (.canal, 11)
        case .stream: return (.stream, 12)
        case .water: return (.water, 9)
        case .park: return (.park, 10)
        case .wood: return (.wood, 9)
        case .farmland: return (.farmland, 10)
        case .meadow: return (.grass, 11)
        case .cemetery: return (.cemetery, 11)
        case .sportsGround: return (.pitch, 12)
        case .publicGround: return (.civic, 12)
        case .residentialArea: return (.residential, 9)
        case .industrialArea: return (.industrial, 10)
        case .railwayArea: return (.railwayLand, 11)
        case .square: return (.pedestrianArea, 13)
        case .building: return (.building, 14)
        case .place: return (feature.rank == 0 ? .town : feature.rank == 1 ? .village : .suburb, feature.rank < 2 ? 9 : 11)
        case .landmark: return (.pointOfInterest, 13)
        }
    }
}
