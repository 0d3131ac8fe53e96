public import Geo
import TerminalMap

/// A vehicle on the map that belongs to no journey, such as a vehicle of a fleet.
public struct OtherVehicle: Sendable, Hashable {
    /// Unique number of the vehicle while the map is shown. It is also the index of the vehicle's marker.
    public var number: Int
    /// The last known position.
    public var coordinate: Coordinate
    /// Heading in degrees clockwise from north; nil if it is not known.
    public var headingDegrees: Double?
    /// Whether the position is old.
    public var isStale: Bool
    /// The label beside the marker; empty for no label.
    public var label: String

    /// Creates a vehicle at a position.
    public init(number: Int, coordinate: Coordinate, headingDegrees: Double? = nil, isStale: Bool = false, label: String = "") {
        self.number = number
        self.coordinate = coordinate
        self.headingDegrees = headingDegrees
        self.isStale = isStale
        self.label = label
    }

    var marker: JourneyMarker {
        JourneyMarker(
            marker: ConsumerMarker(trip: nil, type: .vehicle, index: number), coordinate: coordinate, headingDegrees: headingDegrees,
            icon: isStale ? .vehicleNotLive : .vehicle, style: .otherVehicle, label: label)
    }
}
