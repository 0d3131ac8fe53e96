import FleetEngine
import FoundationEssentials
import Geo

extension VehicleLocation {
    /// Whether this location is newer than `other`. The server's times decide. If one of them is missing, the sensor's times decide. If one
    /// of these is missing too, this location counts as newer if the coordinates differ.
    func isNewer(than other: VehicleLocation?) -> Bool {
        guard let other else { return true }
        if let time = serverTime, let otherTime = other.serverTime { return time > otherTime }
        if let time = fixTime, let otherTime = other.fixTime { return time > otherTime }
        return coordinate != other.coordinate
    }

    /// Whether the server's time for this location is before the server's time for `known`.
    func isOlder(than known: VehicleLocation?) -> Bool {
        guard let time = serverTime, let knownTime = known?.serverTime else { return false }
        return time < knownTime
    }

    /// Whether this and `other` are the same location. A log can contain a location twice: first in an entry about a trip, and then in
    /// the vehicle's own entry.
    func isSameFix(as other: VehicleLocation?) -> Bool {
        guard let time = serverTime else { return false }
        return time == other?.serverTime && coordinate == other?.coordinate
    }
}
