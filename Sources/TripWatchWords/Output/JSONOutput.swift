package import FleetEngine
package import FoundationEssentials
import Geo
import JourneySharing

/// Writes facts as JSON lines: one object for each fact, except for facts whose data is part of another event. If a value is unknown, its
/// key is kept with `null`. Only a few keys for orders and links are left out where they do not apply. docs/json-output.md documents the
/// schema.
package struct JSONOutput: Sendable {
    package init() {}

    /// The line for a fact, without a line break; nil for a fact whose data is part of another event.
    package func line(_ fact: TripFact, trip: TripName, kind: TripKind = .ride, time: Date) -> String? {
        guard let event = Self.event(of: fact) else { return nil }
        var line = Self.beginning(event, trip: trip.description, kind: kind, time: time)
        fill(&line, fact)
        return line.finished
    }

    /// Returns the line of a fact for a link's events, and the kind of its event; nil if links do not have this event. The line has the
    /// trip's bare id. The line for a route also has the polyline. If the next stop of a ride is another rider's, the line for the stops
    /// also has the type of that stop.
    package func linkLine(
        _ fact: TripFact, of trip: Trip, kind: TripKind = .ride, time: Date
    ) -> (kind: LinkEventKind, text: String)? {
        guard let event = Self.event(of: fact), let linkKind = LinkEventKind(rawValue: event) else { return nil }
        var line = Self.beginning(event, trip: trip.name.trip, kind: kind, time: time)
        fill(&line, fact)
        if linkKind == .route { line.add("polyline", .string(EncodedPolyline.encode(trip.activeRoute.coordinates))) }
        if linkKind == .waypoints, kind == .ride, let next = trip.remainingWaypoints.first, !trip.owns(next) {
            line.add("next_type", .string(next.type.rawValue))
        }
        return (linkKind, line.finished)
    }

    /// Returns an event's first keys, which are the same in all events. A ride has no `kind`.
    package static func beginning(_ event: String, trip: String, kind: TripKind = .ride, time: Date) -> JSONLine {
        var line = JSONLine()
        line.add("t", .time(time))
        line.add("trip", .string(trip))
        line.add("event", .string(event))
        if kind == .order { line.add("kind", .string(kind.rawValue)) }
        return line
    }

    private static func event(of fact: TripFact) -> String? {
        switch fact {
        case .status: "status"
        case .location: "location"
        case .eta: "eta"
        case .route: "route"
        case .waypoints: "waypoints"
        case .traffic: "traffic"
        case .drawn: "drawn"
        case .freshness: "freshness"
        case .failure: "error"
        case .recovered: "recovered"
        case .end: "end"
        case .vehicle: "vehicle"
        case .promise, .near, .pickupChanged, .stopsChanged, .dropoffChanged: nil
        }
    }

    func fill(_ line: inout JSONLine, _ fact: TripFact) {
        switch fact {
        case .status(let status, _): line.add("status", .string(status.name))
        case .vehicle(let id): line.add("vehicle", id.flatMap { $0.isEmpty ? nil : .string($0) })
        case .location(let location, let age): fill(&line, location, age)
        case .eta(let eta): fill(&line, eta)
        case .route(let points, let length):
            line.add("points", .integer(points))
            line.add("length_m", .number(length, decimals: 0))
        case .waypoints(let before, let own):
            line.add("stops_before", .integer(before))
            line.add("remaining", .array(own.map(stop)))
        case .traffic(let stretches): line.add("intervals", .array(stretches.map(stretch)))
        case .drawn(let drawn):
            line.add("latitude", .number(drawn.coordinate.latitude, decimals: 7))
            line.add("longitude", .number(drawn.coordinate.longitude, decimals: 7))
            line.add("along_m", drawn.alongMeters.map { .number($0, decimals: 1) })
        case .freshness(let state, let age, _):
            line.add("state", state.map { .string($0.rawValue) })
            line.add("age_s", age.map { .number($0, decimals: 1) })
        case .failure(let failure): fill(&line, failure, message: FailureWords(failure).sentence)
        case .recovered(let seconds): line.add("after_s", .number(seconds, decimals: 1))
        case .end(let status): line.add("status", .string(status.name))
        case .promise, .near, .pickupChanged, .stopsChanged, .dropoffChanged: break
        }
    }

    private func fill(_ line: inout JSONLine, _ location: VehicleLocation, _ age: Double?) {
        line.add("latitude", .number(location.coordinate.latitude, decimals: 7))
        line.add("longitude", .number(location.coordinate.longitude, decimals: 7))
        line.add("heading", location.headingDegrees.map { .number($0, decimals: 0) })
        line.add("speed_mps", location.speedMetersPerSecond.map { .number($0, decimals: 2) })
        line.add("fix_time", location.fixTime.map(JSONText.time))
        line.add("age_s", age.map { .number($0, decimals: 1) })
        if location.timeStepSeconds > 0 { line.add("time_step_s", .number(location.timeStepSeconds, decimals: 0)) }
    }

    private func fill(_ line: inout JSONLine, _ eta: ETAFact) {
        line.add("waypoint", .string(eta.waypoint.word))
        line.add("eta", eta.arrival.map(JSONText.time))
        line.add("remaining_s", eta.remainingSeconds.map { .number($0, decimals: 0) })
        line.add("remaining_m", eta.remainingMeters.map { .number($0, decimals: 0) })
        if let shop = eta.shop { line.add("shop_eta", shop.arrival.map(JSONText.time)) }
    }

    func fill(_ line: inout JSONLine, _ failure: PollFailure, message: String) {
        line.add("code", .string(failure.error.code.name))
        line.add("class", .string(failure.errorClass.name))
        line.add("action", failure.actionWord.map { .string($0) })
        line.add("origin", .string(failure.error.origin.rawValue))
        line.add("retry_in_s", .number(failure.retryInSeconds, decimals: 1))
        line.add("attempt", .integer(failure.attempt))
        line.add("message", .string(message))
    }

    func stop(_ stop: OwnStop) -> JSONText {
        .object {
            $0.add("type", .string(stop.type.rawValue))
            $0.add("latitude", .number(stop.coordinate.latitude, decimals: 7))
            $0.add("longitude", .number(stop.coordinate.longitude, decimals: 7))
            $0.add("eta", stop.eta.map(JSONText.time))
            $0.add("distance_m", stop.distanceMeters.map { .number($0, decimals: 0) })
            if let count = stop.deliveriesBefore, count > 0 { $0.add("deliveries_before", .integer(count)) }
        }
    }

    private func stretch(_ stretch: TrafficStretch) -> JSONText {
        .object {
            $0.add("start_m", .number(stretch.startMeters, decimals: 0))
            $0.add("end_m", .number(stretch.endMeters, decimals: 0))
            $0.add("speed", .string(stretch.speed.rawValue))
        }
    }
}
