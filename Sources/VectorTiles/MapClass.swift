/// The class of a map feature; every tile schema is translated into these classes.
///
/// The raw values give the paint order: first areas from the lowest layer to the highest, then lines from the least to the most important,
/// then named points. A ``VectorTile`` keeps its features in this order, so that they are painted in one pass.
public enum MapClass: UInt8, Sendable, CaseIterable, Hashable {
    // Areas.
    /// Fields, orchards and vineyards.
    case farmland
    /// Residential land.
    case residential
    /// Land with shops and offices.
    case commercial
    /// Land used for industry or quarries, or by the military.
    case industrial
    /// The grounds of schools, hospitals and other public institutions.
    case civic
    /// Railway land.
    case railwayLand
    /// Airport land.
    case aerodrome
    /// Grass, meadows and heath.
    case grass
    /// Parks, gardens and zoos.
    case park
    /// Woods and forests.
    case wood
    /// Cemeteries.
    case cemetery
    /// Sports grounds and playgrounds.
    case pitch
    /// Sand and beaches.
    case sand
    /// Glaciers.
    case ice
    /// Wetlands.
    case wetland
    /// The sea.
    case ocean
    /// Lakes, ponds and wide rivers.
    case water
    /// Squares, platforms and other pedestrian areas.
    case pedestrianArea
    /// Buildings.
    case building

    // Lines.
    /// Streams and ditches.
    case stream
    /// Canals.
    case canal
    /// Rivers.
    case river
    /// The border of a state or province.
    case regionBoundary
    /// The border of a country.
    case countryBoundary
    /// Ferry routes.
    case ferry
    /// Piers and jetties.
    case pier
    /// Runways and taxiways.
    case aeroway
    /// Paths for pedestrians and bicycles.
    case path
    /// Tracks through fields and woods.
    case track
    /// Roads to houses, yards and car parks.
    case service
    /// Streets for pedestrians.
    case pedestrian
    /// Residential and unclassified streets.
    case street
    /// Trams, subways and other urban rail.
    case transit
    /// Railways.
    case rail
    /// Roads between villages.
    case tertiary
    /// Roads between small towns.
    case secondary
    /// Roads between towns.
    case primary
    /// Main roads below motorways.
    case trunk
    /// Motorways.
    case motorway

    // Points with a name.
    /// The number of a house.
    case houseNumber
    /// The entrance of a station.
    case entrance
    /// A bus stop. A search finds it by its name, but the map does not show it, because a tile of a city has hundreds of them.
    case busStop
    /// A tram stop.
    case tramStop
    /// A shop, a sight or another place with a name.
    case pointOfInterest
    /// A railway station or a ferry terminal.
    case station
    /// The name of a park.
    case parkName
    /// The name of a lake or a river.
    case waterName
    /// The name of a sea or an ocean.
    case seaName
    /// A part of a suburb.
    case quarter
    /// A part of a town.
    case suburb
    /// A few houses with a name.
    case hamlet
    /// An island.
    case island
    /// A village.
    case village
    /// A town.
    case town
    /// A city.
    case city
    /// A state or province.
    case region
    /// A country.
    case country
}

extension MapClass {
    /// Whether this is a street, from service roads to motorways.
    @inlinable
    public var isRoad: Bool { self >= .service && self <= .motorway && self != .transit && self != .rail }

    /// Whether this is standing or flowing water drawn as an area.
    @inlinable
    public var isWaterArea: Bool { self == .ocean || self == .water }

    /// Whether this is a river, canal or stream drawn as a line.
    @inlinable
    public var isWaterway: Bool { self >= .stream && self <= .river }

    /// Whether this is a settlement, a part of one, an island, a region or a country.
    @inlinable
    public var isPlace: Bool { self >= .quarter }
}

extension MapClass: Comparable {
    /// Compares classes by their paint order: the lower class is painted first.
    @inlinable
    public static func < (left: MapClass, right: MapClass) -> Bool { left.rawValue < right.rawValue }
}

/// The geometry of one feature.
public enum GeometryKind: UInt8, Sendable, Hashable {
    /// One point, or several that belong together.
    case point = 1
    /// One line, or several that belong together.
    case line = 2
    /// One area, or several that belong together; they may have holes.
    case polygon = 3
}

/// The special properties of one feature.
public struct FeatureFlags: OptionSet, Sendable, Hashable {
    /// The flags as bits.
    public let rawValue: UInt8

    /// Creates flags from bits. Unknown bits are kept but have no effect.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The line crosses a bridge.
    public static let bridge = FeatureFlags(rawValue: 1 << 0)
    /// The line runs underground.
    public static let tunnel = FeatureFlags(rawValue: 1 << 1)
    /// The line is a ramp or slip road instead of the road itself, or a minor railway track.
    public static let link = FeatureFlags(rawValue: 1 << 2)
    /// The geometry only places the name; it is not drawn.
    public static let labelOnly = FeatureFlags(rawValue: 1 << 3)
    /// The water exists only for part of the year.
    public static let intermittent = FeatureFlags(rawValue: 1 << 4)
    /// The place is the capital of a country.
    public static let capital = FeatureFlags(rawValue: 1 << 5)
    /// Traffic runs only from the line's first vertex to its last.
    public static let oneWay = FeatureFlags(rawValue: 1 << 6)
    /// Traffic runs only from the line's last vertex to its first.
    public static let oneWayBack = FeatureFlags(rawValue: 1 << 7)
}
