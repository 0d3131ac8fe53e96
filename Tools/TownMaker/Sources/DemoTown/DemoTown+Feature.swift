public import Geo

extension DemoTown {
    /// Something on the map.
    public struct Feature: Sendable, Hashable {
        public enum Geometry: Sendable, Hashable {
            case point(Coordinate)
            case line([Coordinate])
            /// Rings, the first coordinate of each not repeated at its end; what an odd number of them encloses is inside.
            case polygon([[Coordinate]])
        }

        public let kind: Kind
        /// Nil for a feature without a name.
        public let name: String?
        public let geometry: Geometry
        /// Roads and rails over water or over rails.
        public let isBridge: Bool
        /// Traffic goes from the line's first coordinate to its last only.
        public let isOneWay: Bool
        /// Importance of the feature among its kind, 0 for the most important. A map without enough room leaves out the highest ranks
        /// first.
        public let rank: Int
    }

    /// The kinds of features.
    public enum Kind: String, Sendable, CaseIterable {
        // Roads, from the strongest to the weakest.
        case ringRoad, primary, secondary, tertiary, residential, service
        /// A way for walkers through a park or along the river. Not part of the road graph.
        case path
        case railway
        /// The station: its place as a point, its building as a polygon.
        case station
        /// The middle line of a river.
        case river
        /// The middle line of a canal, such as the old town's moat.
        case canal
        /// A brook in the country.
        case stream
        /// Open water as an area: river, harbour, lake.
        case water
        case park, wood, farmland, meadow, cemetery
        case sportsGround
        /// Grounds of a hospital, a university or the minster.
        case publicGround
        case residentialArea, industrialArea, railwayArea
        case square
        case building
        /// The name of the town (rank 0), of a village (1), of a suburb or quarter (2), as a point.
        case place
        /// The place of a ``Landmark``.
        case landmark
    }

    /// A place worth a trip, on a street.
    public struct Landmark: Sendable, Hashable {
        public enum Kind: String, Sendable, CaseIterable {
            case station, market, harbour, hospital, university, townHall, minster, theatre, museum, stadium, park, boathouse, library
            case works, waterTower, village, school
        }

        public let kind: Kind
        public let name: String
        /// On a road of the town's ``DemoTown/roads``.
        public let coordinate: Coordinate
    }
}
