public import Geo
import TerminalMap

/// A vehicle that serves none of the journeys on a map, such as one of a fleet.
public struct OtherVehicle: Sendable, Hashable {
    /// Tells it from others as long as the map is shown; the index of its marker.
    public var number: Int
    /// Where it was last.
    public var coordinate: Coordinate
    /// Degrees clockwise from north; nil where that is not known.
    public var headingDegrees: Double?
    /// Whether its position is old.
    public var isStale: Bool
    /// The words beside it; empty for none.
    public var label: String

    /// A vehicle that is where this says.
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
