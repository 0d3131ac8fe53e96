/// The class of a map feature, in the words of this program; every tile schema is translated into these.
///
/// The raw values are the paint order: areas first, lowest ground first, then lines from the weakest to the strongest, then the points that
/// carry names. A ``VectorTile`` keeps its features sorted by it, so that painting in order is one walk.
public enum MapClass: UInt8, Sendable, CaseIterable, Hashable {
    // Areas.
    case farmland
    case residential
    case commercial
    case industrial
    case civic
    case railwayLand
    case aerodrome
    case grass
    case park
    case wood
    case cemetery
    case pitch
    case sand
    case ice
    case wetland
    case ocean
    case water
    case pedestrianArea
    case building

    // Lines.
    case stream
    case canal
    case river
    case regionBoundary
    case countryBoundary
    case ferry
    case pier
    case aeroway
    case path
    case track
    case service
    case pedestrian
    case street
    case transit
    case rail
    case tertiary
    case secondary
    case primary
    case trunk
    case motorway

    // Points that carry a name.
    case houseNumber
    case entrance
    /// Found by its name and not drawn: a city's tile has hundreds.
    case busStop
    case tramStop
    case pointOfInterest
    case station
    case parkName
    case waterName
    case seaName
    case quarter
    case suburb
    case hamlet
    case island
    case village
    case town
    case city
    case region
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
    case point = 1
    case line = 2
    case polygon = 3
}

/// The special properties of one feature.
public struct FeatureFlags: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

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
