public import Geo

/// A way by car from one place on the roads to another.
public struct RoadRoute: Sendable, Hashable {
    /// A stretch of the way on one street.
    public struct Step: Sendable, Hashable {
        /// The street; nil for a road without a name.
        public let name: String?
        public let roadClass: RoadClass
        public let distanceMeters: Double
        /// The wait at the junction where the stretch ends is part of it.
        public let durationSeconds: Double
        /// Turn at the start of the stretch in degrees, positive to the right, -180...180; 0 for the first one. ±180 is a turn back.
        public let turnDegrees: Double
        /// The vertex of the route's polyline at which the stretch begins.
        public let startVertex: Int
    }

    /// From the road next to the start to the road next to the destination; at least two vertices.
    public let polyline: Polyline
    public let durationSeconds: Double
    /// Seconds from the start to each vertex of the polyline: as many as vertices, from 0 to `durationSeconds`, never falling.
    /// The wait at a junction is spent on the segment that leads to it.
    public let cumulativeSeconds: [Double]
    /// The free-flow speed on each segment: one fewer than vertices. Waits at junctions do not show here.
    public let segmentSpeedsMetersPerSecond: [Double]
    public let steps: [Step]
}
