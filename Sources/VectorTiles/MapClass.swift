/// The class of a map feature, in the words of this program; every tile schema is translated into these.
///
/// The raw values are the paint order: areas first, lowest ground first, then lines from the weakest to the strongest, then the points that
/// carry names. A ``VectorTile`` keeps its features sorted by it, so that painting in order is one walk.
public enum MapClass: UInt8, Sendable, CaseIterable, Hashable {
    // Areas.
    /// Fields, orchards and vineyards.
    case farmland
    /// Land that people live on.
    case residential
    /// Land with shops and offices.
    case commercial
    /// Land with industry, quarries or the military.
    case industrial
    /// Land of schools, hospitals and other public institutions.
    case civic
    /// Land of railways.
    case railwayLand
    /// Land of airports.
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
    /// Squares, platforms and other areas for people on foot.
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
    /// Ways of ferries.
    case ferry
    /// Piers and jetties.
    case pier
    /// Runways and taxiways.
    case aeroway
    /// Paths for people on foot and on bicycles.
    case path
    /// Tracks through fields and woods.
    case track
    /// Ways to houses, yards and parking places.
    case service
    /// Streets for people on foot.
    case pedestrian
    /// Residential and unclassified streets.
    case street
    /// Trams, subways and other rails of towns.
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

    // Points that carry a name.
    /// The number of a house.
    case houseNumber
    /// The entrance of a station.
    case entrance
    /// Found by its name and not drawn: a city's tile has hundreds.
    case busStop
    /// A stop of trams.
    case tramStop
    /// A shop, a sight or another place with a name.
    case pointOfInterest
    /// A railway station, or where ferries land.
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
    /// True for streets of all kinds, from service ways to motorways.
    @inlinable
    public var isRoad: Bool { self >= .service && self <= .motorway && self != .transit && self != .rail }

    /// True for standing and flowing water drawn as an area.
    @inlinable
    public var isWaterArea: Bool { self == .ocean || self == .water }

    /// True for rivers, canals and streams drawn as a line.
    @inlinable
    public var isWaterway: Bool { self >= .stream && self <= .river }

    /// True for settlements and parts of settlements.
    @inlinable
    public var isPlace: Bool { self >= .quarter }
}

extension MapClass: Comparable {
    /// Paint order: the smaller one is painted first.
    @inlinable
    public static func < (left: MapClass, right: MapClass) -> Bool { left.rawValue < right.rawValue }
}

/// The geometry of one feature.
public enum GeometryKind: UInt8, Sendable, Hashable {
    /// One place, or several that belong together.
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

    /// Flags from bits; unknown bits are kept and mean nothing.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The way runs on a bridge.
    public static let bridge = FeatureFlags(rawValue: 1 << 0)
    /// The way is under the ground.
    public static let tunnel = FeatureFlags(rawValue: 1 << 1)
    /// A ramp or slip road, not the road itself.
    public static let link = FeatureFlags(rawValue: 1 << 2)
    /// The geometry only says where the name goes; it is never stroked.
    public static let labelOnly = FeatureFlags(rawValue: 1 << 3)
    /// The water is there for part of the year only.
    public static let intermittent = FeatureFlags(rawValue: 1 << 4)
    /// The capital of a country.
    public static let capital = FeatureFlags(rawValue: 1 << 5)
    /// Traffic goes along the line only.
    public static let oneWay = FeatureFlags(rawValue: 1 << 6)
    /// Traffic goes against the line only.
    public static let oneWayBack = FeatureFlags(rawValue: 1 << 7)
}
