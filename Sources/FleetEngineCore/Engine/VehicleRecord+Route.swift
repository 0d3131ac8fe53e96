import FleetEngineAPI
import FoundationEssentials
import Geo
import Routing
import SwiftProtobuf

/// The engine's values that are needed to change a vehicle's stops, position or route.
struct RouteContext {
    /// The router that makes straight lines. A straight line is used until a real router has answered.
    let straightLine: StraightLineRouter
    let now: Date
    let stamp: ChangeStamp
}

extension RouteContext {
    fileprivate func straightLeg(from start: Coordinate, to end: Coordinate) -> StopPath {
        StopPath(planned: straightLine.leg(from: start, to: NavigationWaypoint(coordinate: end)), by: straightLine.name)
    }
}

extension VehicleRecord {
    /// Distance from the shown path, in metres, within which a vehicle counts as being on the path.
    private static let onRouteMeters = 60.0
    /// The value of ``leaveMeters`` while the position is accurate.
    private static let leftMeters = 50.0
    /// Distance, in metres, within which the positions of a stationary vehicle may vary.
    private static let standingMeters = 10.0
    /// Minimum time between two calculations of a path, in seconds. It is shorter than the time between reports from drivers' apps.
    private static let replanSeconds = 4.0

    // MARK: Stops

    /// Replaces the list of stops. Paths between stops that remain adjacent are kept. The driver's route is kept if it leads to the new
    /// first stop, or if the first stop is unchanged.
    mutating func setStops(_ new: [Stop], _ context: RouteContext) {
        guard new != stops else { return }
        let isFirstNew = stops.first?.coordinate != new.first?.coordinate || !Self.isSame(stops.first, new.first)
        let reached = upload?.stopMeters
        let onward = isFirstNew ? legOn(to: new.first) : nil
        between = legs(for: new, context)
        stops = new
        stopsStamp = context.stamp
        upload?.find(new)
        if isFirstNew {
            plan = onward.map { Plan(leg: $0.leg, origin: $0.start, isStandIn: false, madeAt: context.now, offsetMeters: 0) }
            if upload?.leadsToStops != true {
                upload = nil
                forgetReport()
            }
            standing = nil
        }
        // New estimates would start from the present time, not from the time of the position. Therefore the old estimates are kept unless
        // their stops have changed.
        if isFirstNew || reached != upload?.stopMeters { lookAhead(context) }
        stampEndPoint(context)
    }

    private static func isSame(_ one: Stop?, _ other: Stop?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.isSameStop(as: other)
    }

    private func legs(for new: [Stop], _ context: RouteContext) -> [StampedLeg] {
        var known: [[Coordinate]: StampedLeg] = [:]
        for (index, stamped) in between.enumerated() where index + 1 < stops.count {
            known[[stops[index].coordinate, stops[index + 1].coordinate]] = stamped
        }
        return zip(new, new.dropFirst()).map { start, end in
            if let kept = known[[start.coordinate, end.coordinate]] { return kept }
            let straight = start.coordinate.distanceMeters(to: end.coordinate)
            return StampedLeg(
                leg: context.straightLeg(from: start.coordinate, to: end.coordinate), isStandIn: true,
                straightMeters: straight.isFinite ? straight : 0, stamp: context.stamp)
        }
    }

    /// Returns the router's path from the old first stop to the new one. Nil if the router has not answered, or if the vehicle has no
    /// position or is farther than `leaveMeters` from the path. Also nil unless the new first stop is at the place of the old second stop.
    private func legOn(to next: Stop?) -> (leg: StopPath, start: Coordinate)? {
        guard stops.count > 1, let next, next.coordinate == stops[1].coordinate, let leg = between.first, !leg.isStandIn, let position,
            let place = leg.leg.line.nearest(to: position), place.distanceMeters <= leaveMeters
        else { return nil }
        return (leg.leg, stops[0].coordinate)
    }

    // MARK: The path to the first stops

    /// Applies the driver's route; nil removes it. The route becomes the shown route even if it does not lead to the first stop.
    mutating func setUpload(_ new: UploadedRoute?, _ context: RouteContext) {
        upload = new
        upload?.find(stops)
        hasUploaded = new != nil
        uploadMeters = 0
        if new == nil { plan = nil }
        lookAhead(context)
        stampEndPoint(context)
    }

    /// Applies traffic to the driver's route. Does nothing without such a route.
    mutating func setTraffic(_ stretches: [TrafficStretch], _ context: RouteContext) {
        guard var upload else { return }
        upload.leg.setTraffic(stretches)
        self.upload = upload
        show(upload.leg, context)
    }

    /// Updates the engine's own path and estimates after a position report.
    mutating func followPosition(_ context: RouteContext) {
        guard !stops.isEmpty || upload != nil else { return }
        lookAhead(context)
    }

    /// Distance from a path, in metres, beyond which the vehicle has left the path.
    var leaveMeters: Double { max(Self.leftMeters, 2 * (vehicle.hasLastLocation ? vehicle.lastLocation.accuracyMeters : 0)) }

    /// Finds the vehicle on its path and computes the estimates. It plans a path to the first stop if no route of the driver leads to the
    /// stops, or if the vehicle has left that route.
    mutating func lookAhead(_ context: RouteContext) {
        defer { noteStanding() }
        let onUpload = findOnUpload()
        let leads = upload?.leadsToStops ?? false
        let isLeft = onUpload.map { $0.distanceMeters > leaveMeters } ?? false
        var onPlan: Polyline.Projection?
        if stops.isEmpty || leads && !isLeft { plan = nil } else { onPlan = followPlan(context) }
        show(upload?.leg ?? plan?.leg, context)
        let distance = upload == nil ? onPlan?.distanceMeters : onUpload?.distanceMeters
        isOnRoute = distance.map { $0 <= Self.onRouteMeters } ?? false
        if leads, !isLeft, let upload {
            estimates = Self.estimates(along: upload, from: onUpload, context.now)
        } else if let plan, let onPlan {
            let rest = plan.leg.rest(from: onPlan)
            estimates = [Estimate(remainingMeters: rest.meters, arrival: context.now.addingTimeInterval(rest.seconds))]
        } else {
            estimates = []
        }
    }

    /// Keeps the first estimates of a vehicle for as long as it is stationary.
    private mutating func noteStanding() {
        guard let position, !estimates.isEmpty else { return standing = nil }
        if let standing, standing.place.distanceMeters(to: position) <= Self.standingMeters { return }
        standing = Standing(place: position, arrivals: estimates.map(\.arrival))
    }

    private mutating func findOnUpload() -> Polyline.Projection? {
        guard let upload, let position, let place = Self.place(of: position, on: upload.leg.line, near: uploadMeters) else { return nil }
        uploadMeters = place.alongMeters
        return place
    }

    /// Finds the vehicle on the planned path. If there is no such path, plans a straight line, which is used until a router answers. The
    /// same happens if the vehicle has left a path that was planned at least `replanSeconds` ago. Returns nil without a position or a stop.
    private mutating func followPlan(_ context: RouteContext) -> Polyline.Projection? {
        guard let position, let first = stops.first else {
            plan = nil
            return nil
        }
        if let plan, let place = Self.place(of: position, on: plan.leg.line, near: plan.alongMeters) {
            let pause = context.now.timeIntervalSince(plan.madeAt)
            let limit = max(leaveMeters, plan.offsetMeters + Self.leftMeters / 2)
            if place.distanceMeters <= limit || (0..<Self.replanSeconds).contains(pause) {
                self.plan?.alongMeters = place.alongMeters
                return place
            }
        }
        plan = Plan(
            leg: context.straightLeg(from: position, to: first.coordinate), origin: position, isStandIn: true, madeAt: context.now,
            offsetMeters: 0)
        return plan.flatMap { Self.place(of: position, on: $0.leg.line, near: 0) }
    }

    private mutating func show(_ leg: StopPath?, _ context: RouteContext) {
        if approach?.encoded != leg?.encoded { approachStamp = context.stamp }
        if approach?.traffic != leg?.traffic { trafficStamp = context.stamp }
        approach = leg
    }

    mutating func stampEndPoint(_ context: RouteContext) {
        let current = endPoint
        guard current != stampedEndPoint else { return }
        stampedEndPoint = current
        approachStamp = context.stamp
    }

    /// Returns the remaining distance and time to each stop of an uploaded route. Both are proportional to the length of the line from
    /// the vehicle to the stop.
    private static func estimates(along upload: UploadedRoute, from place: Polyline.Projection?, _ now: Date) -> [Estimate] {
        let leg = upload.leg
        let start = place?.alongMeters ?? 0
        let whole = place.map { leg.rest(from: $0) } ?? (leg.lengthMeters, leg.durationSeconds)
        let ahead = leg.line.lengthMeters - start
        return upload.stopMeters.enumerated().map { index, meters in
            let isLast = index == upload.stopMeters.count - 1
            let share = isLast ? 1 : ahead > 0 ? min(1, max(0, (meters - start) / ahead)) : 0
            return Estimate(remainingMeters: whole.0 * share, arrival: now.addingTimeInterval(whole.1 * share))
        }
    }

    /// Returns the point of a line that is nearest to a position. Looks first at the part from 200 m behind the last place to 2 km ahead of
    /// it, and at the whole line only if this part is over `onRouteMeters` away. This is fast on long routes, and finds the correct half of
    /// a loop.
    private static func place(of position: Coordinate, on line: Polyline, near alongMeters: Double) -> Polyline.Projection? {
        if let near = line.nearest(to: position, alongMeters: (alongMeters - 200)...(alongMeters + 2_000)),
            near.distanceMeters <= onRouteMeters
        {
            return near
        }
        return line.nearest(to: position)
    }
}

extension WireVehicleLocation {
    /// The accuracy of the best position as reported by the driver, in metres; 0 if not reported.
    var accuracyMeters: Double {
        let stated = hasLatlngAccuracy ? latlngAccuracy.value : hasRawLocationAccuracy ? rawLocationAccuracy.value : 0
        return stated.isFinite ? min(max(stated, 0), 1_000) : 0
    }
}
