import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

/// What a change of stops, position or route needs to know.
struct RouteContext {
    let planner: any RoutePlanning
    let now: Date
    let stamp: ChangeStamp
}

extension VehicleRecord {
    /// An uploaded route that ends within this of a stop leads to it, metres.
    private static let sameEndMeters = 150.0
    /// Nearer than this to the route counts as on it, metres.
    private static let onRouteMeters = 60.0
    /// A planned way is planned anew at most this often, seconds.
    private static let replanSeconds = 10.0

    // MARK: Stops

    /// Takes a new list of stops over. Ways between stops that stay neighbours are kept; the way to the first stop is kept as long as
    /// it leads there.
    mutating func setStops(_ new: [Stop], _ context: RouteContext) {
        guard new != stops else { return }
        let isFirstNew = stops.first?.coordinate != new.first?.coordinate || !Self.isSame(stops.first, new.first)
        between = legs(for: new, context)
        stops = new
        stopsStamp = context.stamp
        defer { stampEndPoint(context) }
        guard isFirstNew else { return }
        if let upload, let first = new.first, Self.leads(upload, to: first) {
            setApproach(upload.leg, context)
        } else {
            upload = nil
            report = Report()
            planApproach(context)
        }
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
            let route = context.planner.route(from: start.coordinate, to: end.coordinate)
            return StampedLeg(leg: route.map { RouteLeg(planned: $0) }, stamp: context.stamp)
        }
    }

    /// Whether an uploaded route leads to a stop: by the end point the driver named, else by where it ends.
    private static func leads(_ upload: Upload, to stop: Stop) -> Bool {
        if let endPoint = upload.endPoint, !endPoint.tripID.isEmpty {
            guard endPoint.tripID == stop.tripID, endPoint.waypointType == stop.waypointType else { return false }
            guard case .intermediate = stop.kind, endPoint.hasLocation, endPoint.location.hasPoint else { return true }
            return endPoint.location.point.coordinate.distanceMeters(to: stop.coordinate) <= sameEndMeters
        }
        guard let end = upload.leg.line.coordinates.last else { return false }
        return end.distanceMeters(to: stop.coordinate) <= sameEndMeters
    }

    // MARK: The way to the first stop

    /// Takes the driver's route over: it is the active one from now on, wherever it leads.
    mutating func setUpload(_ new: Upload?, _ context: RouteContext) {
        upload = new
        defer { stampEndPoint(context) }
        if let new {
            setApproach(new.leg, context)
        } else {
            planApproach(context)
        }
    }

    /// Traffic for the route that is there already.
    mutating func setTraffic(_ stretches: [TrafficStretch], _ context: RouteContext) {
        guard var leg = approach, upload != nil else { return }
        leg.setTraffic(stretches)
        upload?.leg = leg
        setApproach(leg, context)
    }

    mutating func planApproach(_ context: RouteContext) {
        guard let position, let first = stops.first else { return setApproach(nil, context) }
        plannedAt = context.now
        let route = context.planner.route(from: position, to: first.coordinate)
        setApproach(route.map { RouteLeg(planned: $0) }, context)
        let offset = approach?.line.coordinates.first?.distanceMeters(to: position) ?? 0
        offRouteLimitMeters = max(Self.onRouteMeters, offset + Self.onRouteMeters / 2)
    }

    private mutating func stampEndPoint(_ context: RouteContext) {
        let current = endPoint
        guard current != stampedEndPoint else { return }
        stampedEndPoint = current
        approachStamp = context.stamp
    }

    private mutating func setApproach(_ leg: RouteLeg?, _ context: RouteContext) {
        if approach?.encoded != leg?.encoded { approachStamp = context.stamp }
        if approach?.traffic != leg?.traffic { trafficStamp = context.stamp }
        approach = leg
        alongMeters = 0
        estimateArrival(context.now)
    }

    // MARK: The position on it

    /// Brings the engine's own estimate up to date after a position report, and plans anew where a planned way was left.
    mutating func followPosition(_ context: RouteContext) {
        guard !stops.isEmpty || upload != nil else { return }
        guard approach != nil else { return planApproach(context) }
        let distance = estimateArrival(context.now)
        guard let approach, approach.isPlanned, let distance, distance > offRouteLimitMeters else { return }
        let pause = context.now.timeIntervalSince(plannedAt)
        if pause >= Self.replanSeconds || pause < 0 { planApproach(context) }
    }

    /// - Returns: metres between the vehicle and the way; nil without either.
    @discardableResult
    private mutating func estimateArrival(_ now: Date) -> Double? {
        isOnRoute = false
        estimate = nil
        guard let approach else { return nil }
        guard let position, let place = nearest(to: position, on: approach.line) else {
            estimate = Estimate(
                remainingMeters: approach.lengthMeters, arrival: now.addingTimeInterval(approach.durationSeconds))
            return nil
        }
        alongMeters = place.alongMeters
        let rest = approach.rest(from: place)
        estimate = Estimate(remainingMeters: rest.meters, arrival: now.addingTimeInterval(rest.seconds))
        isOnRoute = place.distanceMeters <= Self.onRouteMeters
        return place.distanceMeters
    }

    /// Looks near the last place first, so that a report costs little on a long route and a loop is not mistaken for its other half.
    private func nearest(to position: Coordinate, on line: Polyline) -> Polyline.Projection? {
        if let near = line.nearest(to: position, alongMeters: (alongMeters - 200)...(alongMeters + 2_000)),
            near.distanceMeters <= Self.onRouteMeters
        {
            return near
        }
        return line.nearest(to: position)
    }
}
