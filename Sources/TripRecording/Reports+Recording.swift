import FleetEngine
import FoundationEssentials
import Geo

extension VehicleLocation {
    /// Whether this report is later than `other`, judged by a time that both have. If they have no such time, whether their coordinates
    /// differ.
    func isNewer(than other: VehicleLocation?) -> Bool {
        guard let other else { return true }
        if let time = serverTime, let otherTime = other.serverTime { return time > otherTime }
        if let time = fixTime, let otherTime = other.fixTime { return time > otherTime }
        return coordinate != other.coordinate
    }

    /// Whether the answer with this report was made before the answer with `known`.
    func isOlder(than known: VehicleLocation?) -> Bool {
        guard let time = serverTime, let knownTime = known?.serverTime else { return false }
        return time < knownTime
    }

    /// Whether this and `other` are the same report. A trip's entry can show a report before the vehicle's own entry does.
    func isSameFix(as other: VehicleLocation?) -> Bool {
        guard let time = serverTime else { return false }
        return time == other?.serverTime && coordinate == other?.coordinate
    }
}
