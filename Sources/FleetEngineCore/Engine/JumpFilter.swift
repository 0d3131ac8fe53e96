import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

/// Finds impossible positions of a vehicle: raw fixes between which it would have had to fly.
///
/// Only the times of the fixes count, so a late report or a wrong server clock looks like no jump. A vehicle that was really moved, by a
/// ferry or while its phone was off, is believed after its fixes agree with each other.
struct JumpFilter: Equatable, Sendable {
    /// The highest possible speed beyond what both accuracies explain, metres per second.
    static let fastestMetersPerSecond = 150.0
    /// The number of impossible fixes in a row that are believed if they agree.
    static let agreeingFixes = 3

    struct Fix: Equatable, Sendable {
        let place: Coordinate
        let time: Date
        let accuracyMeters: Double

        /// Nil without a raw position and its time.
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
    /// The number of discarded fixes in a row, each reachable from the one before.
    var count = 0

    /// Whether a report's position must be left out.
    /// - Parameter last: the vehicle's last accepted position.
    mutating func discards(_ report: WireVehicleLocation, after last: WireVehicleLocation) -> Bool {
        discards(Fix(report), after: Fix(last))
    }

    /// - Parameters:
    ///   - fix: nil if it cannot be judged.
    ///   - taken: the last accepted fix; nil for none.
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
