import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

/// Finds impossible positions of a vehicle. A raw fix is impossible if the vehicle cannot have moved so far since its last fix.
///
/// Only the times of the fixes are compared, so a late report or a wrong server clock does not count as a jump. A vehicle may really have
/// moved, by ferry or while its phone was off. Its new position is accepted once several fixes agree.
struct JumpFilter: Equatable, Sendable {
    /// Highest possible speed between two fixes, in metres per second. The accuracies of both fixes are first subtracted from the
    /// distance.
    static let fastestMetersPerSecond = 150.0
    /// Number of consecutive impossible fixes after which the last fix is accepted, if each fix is reachable from the one before.
    static let agreeingFixes = 3

    struct Fix: Equatable, Sendable {
        let place: Coordinate
        let time: Date
        let accuracyMeters: Double

        /// Creates a fix from a report; nil if the report lacks a raw position or its time.
        init?(_ location: WireVehicleLocation) {
            guard location.hasRawLocation, location.hasRawLocationTime else { return nil }
            place = location.rawLocation.coordinate
            time = location.rawLocationTime.moment
            accuracyMeters = location.hasRawLocationAccuracy ? max(0, location.rawLocationAccuracy.value) : 0
        }

        init(place: Coordinate, time: Date, accuracyMeters: Double) {
            self.place = place
            self.time = time
            self.accuracyMeters = accuracyMeters
        }

        func isReachable(from other: Fix) -> Bool {
            let beyond = place.distanceMeters(to: other.place) - accuracyMeters - other.accuracyMeters
            return beyond <= JumpFilter.fastestMetersPerSecond * abs(time.timeIntervalSince(other.time))
        }
    }

    var lastDiscarded: Fix?
    /// Number of consecutive discarded fixes. Each is reachable from the one before.
    var count = 0

    /// Returns whether a report's position must be dropped. If so, remembers the position.
    /// - Parameter last: the vehicle's last accepted position.
    mutating func discards(_ report: WireVehicleLocation, after last: WireVehicleLocation) -> Bool {
        discards(Fix(report), after: Fix(last))
    }

    /// - Parameters:
    ///   - fix: the new fix; nil if it cannot be checked.
    ///   - taken: the last accepted fix; nil without one.
    mutating func discards(_ fix: Fix?, after taken: Fix?) -> Bool {
        guard let fix, let taken, !fix.isReachable(from: taken) else {
            self = JumpFilter()
            return false
        }
        count = lastDiscarded.map(fix.isReachable) == true ? count + 1 : 1
        lastDiscarded = fix
        guard count >= Self.agreeingFixes else { return true }
        self = JumpFilter()
        return false
    }
}
