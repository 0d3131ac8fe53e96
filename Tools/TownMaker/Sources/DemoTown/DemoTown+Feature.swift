public import Geo

extension DemoTown {
    /// A road, a building, an area or another feature of the map.
    public struct Feature: Sendable, Hashable {
        public enum Geometry: Sendable, Hashable {
            case point(Coordinate)
            case line([Coordinate])
            /// Rings. The first coordinate of a ring is not repeated at its end. A point is inside the polygon if an odd number of rings
            /// encloses it.
            case polygon([[Coordinate]])
        }

        public let kind: Kind
        /// The name of the feature; nil for a feature without a name.
        public let name: String?
        public let geometry: Geometry
        /// Whether the road or railway crosses water or rails on a bridge.
        public let isBridge: Bool
        /// Whether traffic goes only from the line's first coordinate to its last.
        public let isOneWay: Bool
        /// The importance of the feature among those of its kind, 0 for the most important. A map without enough space leaves out the
        /// features with the highest ranks first.
        public let rank: Int
    }

    /// The kinds of features.
    public enum Kind: String, Sendable, CaseIterable {
        // The roads, from the most important class to the least important.
        case ringRoad, primary, secondary, tertiary, residential, service
        /// A footpath through a park or along the river. It is not part of the road graph.
        case path
        case railway
        /// The station: its position as a point, its building as a polygon.
        case station
        /// The centre line of a river.
        case river
        /// The centre line of a canal, such as the old town's moat.
        case canal
        /// A brook in the country.
        case stream
        /// Open water as an area: river, harbour, lake.
        case water
        case park, wood, farmland, meadow, cemetery
        case sportsGround
        /// The grounds of a hospital, a university or the minster.
        case publicGround
        case residentialArea, industrialArea, railwayArea
        case square
        case building
        /// A point with the name of the town (rank 0), of a village (1), of a suburb or quarter (2), or of the island (3).
        case place
        /// The position of a ``Landmark``.
        case landmark
    }

    /// A place beside a street that is a good start or end of a trip.
    public struct Landmark: Sendable, Hashable {
        public enum Kind: String, Sendable, CaseIterable {
            case station, market, harbour, hospital, university, townHall, minster, theatre, museum, stadium, park, boathouse, library
            case works, waterTower, village, school
        }

        public let kind: Kind
        public let name: String
        /// The position, on a road of the town's ``DemoTown/roads``.
        public let coordinate: Coordinate
    }
}
