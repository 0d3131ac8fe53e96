/// The condition under which a consumer sees one detail of a shipment.
public enum TrackingVisibility: Hashable, Sendable {
    /// While at most this number of stops remain; the shipment's own stop counts.
    case remainingStops(atMost: Int)
    /// While the estimated arrival is at most this number of seconds ahead.
    case secondsToArrival(atMost: Double)
    /// While at most this number of metres remain to drive.
    case remainingMeters(atMost: Int)
    /// Always.
    case always
    /// Never.
    case never
}

/// The conditions under which a consumer sees the details of a shipment. The server's default applies to a detail whose condition is nil.
public struct TaskTrackingViewConfig: Hashable, Sendable {
    /// The condition under which the route from the vehicle to the task's stop is visible.
    public var route: TrackingVisibility?
    /// The condition for showing the estimated time of arrival.
    public var arrivalTime: TrackingVisibility?
    /// The condition for showing the estimated time of the task's completion.
    public var completionTime: TrackingVisibility?
    /// The condition for showing the remaining driving distance.
    public var remainingDistance: TrackingVisibility?
    /// The condition for showing the number of stops that remain.
    public var remainingStopCount: TrackingVisibility?
    /// The condition for showing the vehicle's position.
    public var vehicleLocation: TrackingVisibility?

    /// Creates a configuration. The server's default applies to each detail that is left out.
    public init(
        route: TrackingVisibility? = nil, arrivalTime: TrackingVisibility? = nil, completionTime: TrackingVisibility? = nil,
        remainingDistance: TrackingVisibility? = nil, remainingStopCount: TrackingVisibility? = nil,
        vehicleLocation: TrackingVisibility? = nil
    ) {
        self.route = route
        self.arrivalTime = arrivalTime
        self.completionTime = completionTime
        self.remainingDistance = remainingDistance
        self.remainingStopCount = remainingStopCount
        self.vehicleLocation = vehicleLocation
    }
}
