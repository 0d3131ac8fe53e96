import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

/// Finds impossible positions of a vehicle. A raw fix is impossible if the vehicle cannot have moved so far since its last position.
///
/// The times of the positions are compared, so a late report or a wrong server clock does not count as a jump. If the last position has no
/// time, the times at which both reports arrived are compared instead. A vehicle may really have moved, by ferry or while its phone was
/// off. Its new position is accepted at the third impossible fix in a row if each fix is reachable from the one before.
///
/// A report without a raw fix or its time is always accepted.
struct JumpFilter: Equatable, Sendable {
    /// Highest possible speed between two fixes, in metres per second. The accuracies of both fixes are first subtracted from the
    /// distance.
    static let fastestMetersPerSecond = 150.0
    /// Number of consecutive impossible fixes after which the last fix is accepted, if each fix is reachable from the one before.
    static let agreeingFixes = 3
    /// Maximum distance between a raw fix and its position on the road, in metres.
    private static let snapMeters = 60.0

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

        /// Creates a fix from any report with a position. A position on the road may lie at some distance from the raw one, so
        /// `accuracyMeters` is at least `snapMeters`.
        fileprivate init(_ location: WireVehicleLocation, at time: Date) {
            place = location.location.coordinate
            self.time = time
            accuracyMeters = max(JumpFilter.snapMeters, location.accuracyMeters)
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
    /// - Parameter last: the vehicle's last accepted position; it has no place if no position has been accepted yet.
    mutating func discards(_ report: WireVehicleLocation, after last: WireVehicleLocation) -> Bool {
        guard last.hasLocation, let fix = Fix(report) else { return discards(Fix(report), after: nil) }
        return discards(fix, after: Fix(last) ?? Fix(last, at: last.ownTime ?? fix.time - report.seconds(after: last)))
    }

    /// - Parameters:
    ///   - fix: the new fix; nil if it cannot be checked.
    ///   - taken: the last accepted fix; nil if no fix has been accepted yet.
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

extension WireVehicleLocation {
    /// The time at which the position was measured; nil if the report does not contain this time.
    fileprivate var ownTime: Date? { hasUpdateTime || hasRawLocationTime ? fixTime.moment : nil }

    /// Returns the seconds between the arrivals of two reports.
    fileprivate func seconds(after other: WireVehicleLocation) -> Double {
        serverTime.moment.timeIntervalSince(other.serverTime.moment)
    }
}
