import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import Routing
import SwiftProtobuf

/// The distance, driving time and arrival time of a remaining stop.
struct StopFigures: Sendable {
    /// Metres from the previous stop, or from the vehicle for the first stop; nil while no path is known.
    var legMeters: Double?
    /// Seconds from the previous stop; nil for the first stop.
    var legSeconds: Double?
    var arrival: Date?

    /// Sets the figures of a stop that the vehicle has reached after its last position.
    fileprivate mutating func setReached(by moment: Date?) {
        legMeters = legMeters.map { _ in 0 }
        if let moment { arrival = arrival.map { min($0, moment) } }
    }
}

extension VehicleRecord {
    /// Highest plausible average speed, in metres per second. An arrival time that would need a higher speed is ignored, or
    /// replaced by the earliest plausible time.
    private static let fastestMetersPerSecond = 50.0
    private static let townSpeed = StraightLineRouter.townSpeedMetersPerSecond

    /// The remaining distance and time from the vehicle to a stop, before they are checked against the distance in a straight line.
    private struct Lead {
        var meters: Double?
        var arrival: Date?
        var isDriversOwn = false
        /// Whether `arrival` comes from `standing`, because the vehicle is stationary and has no guidance. `arrival` is then not checked
        /// against the straight line.
        var isFixed = false
    }

    /// Returns the distances and times of all remaining stops, in the vehicle's order.
    ///
    /// For stops on the path in use, the driver's reported distance and time are used if they apply (see `reportedIndex`), or else the
    /// engine's estimates along that path. For later stops, the values follow from the path through the earlier stops. No distance or time
    /// is less than the straight line allows.
    ///
    /// While the vehicle waits at its first stop, the expected arrivals at those later stops move with the clock. While the vehicle is on
    /// the way and sends no positions, they do not. If `hasArrived` is true, but the last position is not at the first stop, the distance
    /// to the first stop is 0.
    ///
    /// - Parameter hasArrived: whether the status of the first stop's trip says that the vehicle is at that stop. The last position may be
    ///   elsewhere.
    func figures(now: Date, hasArrived: Bool = false) -> [StopFigures] {
        let lead = lead
        let earliest = hasArrived || isAtFirstStop ? now : positionMoment ?? .distantPast
        var result: [StopFigures] = []
        result.reserveCapacity(stops.count)
        for index in stops.indices {
            if lead.indices.contains(index) {
                result.append(figures(of: index, lead, after: result.last))
            } else if index == 0 {
                result.append(StopFigures())
            } else {
                let isFirstAfterLead = index == max(1, lead.count)
                let before = result.last?.arrival.map { arrival in
                    let leaving = leaving(stop: index - 1, reachedAt: arrival)
                    return isFirstAfterLead ? max(leaving, earliest) : leaving
                }
                result.append(figures(ofLeg: between[index - 1], leavingAt: before))
            }
            if index == 0, hasArrived, !isAtFirstStop { result[0].setReached(by: positionMoment) }
        }
        return result
    }

    /// Returns the expected departure time from a stop. The time at the stop counts from the vehicle's arrival.
    private func leaving(stop index: Int, reachedAt arrival: Date) -> Date {
        guard stopSeconds > 0, index == 0, isAtFirstStop, let reached = standing?.arrivals.first else {
            return arrival.addingTimeInterval(stopSeconds)
        }
        return min(arrival, reached).addingTimeInterval(stopSeconds)
    }

    /// Whether the vehicle's last position is at its first stop.
    private var isAtFirstStop: Bool {
        guard let position, let first = stops.first else { return false }
        return position.distanceMeters(to: first.coordinate) <= leaveMeters
    }

    /// Whether the driver's navigation gives guidance; true if its status is unknown. Without guidance, driver apps keep sending old
    /// distances and times. The engine then uses its own estimates, as the server does in recorded traffic.
    var isGuided: Bool { vehicle.navigationStatus != .noGuidance }

    /// The time at which the server received the position; nil if unknown.
    private var positionMoment: Date? {
        vehicle.hasLastLocation && vehicle.lastLocation.hasServerTime ? vehicle.lastLocation.serverTime.moment : nil
    }

    // MARK: Stops on the path in use

    private func figures(of index: Int, _ lead: [Lead], after before: StopFigures?) -> StopFigures {
        let straight = straightMeters(to: index)
        let start = index > 0 ? lead[index - 1].meters : 0
        let way = start.flatMap { start in lead[index].meters.map { max(0, $0 - start) } }
        var figures = StopFigures(legMeters: way.map { max($0, straight) }, arrival: lead[index].arrival)
        let leaving = before?.arrival ?? positionMoment
        if let arrival = figures.arrival, let leaving, !lead[index].isFixed {
            // If the straight line is longer than the way on the path, the vehicle is assumed to drive the difference off the road, at town
            // speed. A driver's own time is corrected only if it is impossibly short.
            let offRoad = lead[index].isDriversOwn ? 0 : max(0, straight - (way ?? straight)) / Self.townSpeed
            let earliest = leaving.addingTimeInterval(straight / Self.fastestMetersPerSecond)
            figures.arrival = max(arrival.addingTimeInterval(offRoad), earliest)
        }
        if let before = before?.arrival { figures.legSeconds = figures.arrival?.timeIntervalSince(before) }
        return figures
    }

    /// Returns the length of the straight line to a stop, in metres. The line starts at the previous stop, or at the vehicle if `index` is
    /// 0. Without a position, the distance to the first stop is 0.
    private func straightMeters(to index: Int) -> Double {
        guard index == 0 else { return between[index - 1].straightMeters }
        guard let meters = position?.distanceMeters(to: stops[0].coordinate), meters.isFinite else { return 0 }
        return meters
    }

    private var lead: [Lead] {
        var lead = estimates.map { Lead(meters: $0.remainingMeters, arrival: $0.arrival) }
        if !isGuided, let standing {
            for (index, arrival) in zip(lead.indices, standing.arrivals) { (lead[index].arrival, lead[index].isFixed) = (arrival, true) }
        }
        guard let last = reportedIndex else { return lead }
        if lead.isEmpty { lead = [Lead()] }
        let whole = lead[last]
        let own = Lead(meters: reportedMeters ?? whole.meters, arrival: report.arrival ?? whole.arrival, isDriversOwn: true)
        let start = positionMoment
        for index in 0..<last {
            let share = shareOfWay(lead[index], whole)
            lead[index].meters = own.meters.map { $0 * share }
            if let start, let arrival = own.arrival {
                lead[index].arrival = start.addingTimeInterval(arrival.timeIntervalSince(start) * share)
            }
            lead[index].isDriversOwn = true
        }
        lead[last] = own
        return lead
    }

    /// The distance from the vehicle to a stop as the engine measures it. `reportedMeters` compares it with the same distance at the time
    /// of the driver's report. If the driver's route leads to stops, the distance is measured along this route to the last of these stops.
    /// If the driver has no such route, the distance is the straight line to the first stop. Nil if the vehicle is away from such a route,
    /// has no position, or has no stops.
    var ownDistance: OwnDistance? {
        guard position != nil, !stops.isEmpty else { return nil }
        guard let last = upload?.lastStopIndex else { return OwnDistance(meters: straightMeters(to: 0), isAlongRoute: false) }
        guard isOnRoute, estimates.indices.contains(last) else { return nil }
        return OwnDistance(meters: estimates[last].remainingMeters, isAlongRoute: true)
    }

    /// The remaining distance that the driver reported, shortened by the drive since the report, in metres; nil if the driver reported no
    /// distance. It is the reported distance times `min(1, own distance now / own distance at the report)`. If the two own distances cannot
    /// be compared, the reported distance is unchanged.
    var reportedMeters: Double? {
        guard let meters = report.remainingMeters.map(Double.init) else { return nil }
        guard let before = report.own, before.meters > 0, let now = ownDistance, now.isAlongRoute == before.isAlongRoute else {
            return meters
        }
        return meters * min(1, now.meters / before.meters)
    }

    private func shareOfWay(_ part: Lead, _ whole: Lead) -> Double {
        guard let meters = part.meters, let all = whole.meters, all > 0 else { return 0 }
        return min(1, max(0, meters / all))
    }

    /// The index of the stop to which the driver's distance and time apply; nil if they are not used.
    private var reportedIndex: Int? {
        guard !stops.isEmpty, isGuided, report.remainingMeters != nil || report.arrival != nil else { return nil }
        guard hasUploaded else { return isReportPlausible ? 0 : nil }
        guard let last = upload?.lastStopIndex else { return nil }
        return last == 0 || estimates.count == last + 1 ? last : nil
    }

    /// Whether the driver's distance and time can apply to the first stop. Without a route, it is unknown to which stop they refer. They
    /// cannot apply to a stop that is farther away than the reported distance, or too far away to reach in the reported time.
    private var isReportPlausible: Bool {
        let straight = straightMeters(to: 0) - leaveMeters
        if let meters = reportedMeters, meters < straight { return false }
        guard let arrival = report.arrival, let positionMoment else { return true }
        return arrival.timeIntervalSince(positionMoment) * Self.fastestMetersPerSecond >= straight
    }

    // MARK: Later stops

    private func figures(ofLeg stamped: StampedLeg, leavingAt start: Date?) -> StopFigures {
        let leg = stamped.leg
        let offRoad = max(0, stamped.straightMeters - leg.lengthMeters)
        let seconds = leg.durationSeconds + offRoad / Self.townSpeed
        return StopFigures(
            legMeters: leg.lengthMeters + offRoad, legSeconds: seconds, arrival: start.map { $0.addingTimeInterval(seconds) })
    }
}
