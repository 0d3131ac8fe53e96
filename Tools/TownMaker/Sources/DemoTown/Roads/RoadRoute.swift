public import Geo

/// A route by car from one place on the roads to another.
public struct RoadRoute: Sendable, Hashable {
    /// A section of the route on one street.
    public struct Step: Sendable, Hashable {
        /// The name of the street; nil for a road without a name.
        public let name: String?
        public let roadClass: RoadClass
        public let distanceMeters: Double
        /// Duration of the section in seconds, including the wait at the junction at its end.
        public let durationSeconds: Double
        /// Turn at the start of the section in degrees, positive to the right, -180...180. It is 0 for the first section. ±180 is a
        /// U-turn.
        public let turnDegrees: Double
        /// The index of the vertex in the route's polyline at which the section begins.
        public let startVertex: Int
    }

    /// The line of the route. It begins and ends at the points on roads nearest to the two places. It has at least two vertices.
    public let polyline: Polyline
    public let durationSeconds: Double
    /// Seconds from the start to each vertex of the polyline, from 0 to `durationSeconds`, never decreasing. The wait at a junction counts
    /// for the segment that leads to it.
    public let cumulativeSeconds: [Double]
    /// The free-flow speed on each segment, without waits at junctions. There is one value fewer than there are vertices.
    public let segmentSpeedsMetersPerSecond: [Double]
    public let steps: [Step]
}
