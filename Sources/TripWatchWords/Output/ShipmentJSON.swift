package import FleetEngine
package import FoundationEssentials
import Geo
import JourneySharing

/// Prints facts about a shipment as JSON lines, in the same form as for a trip. The key `tracking` replaces `trip`.
package struct ShipmentJSON: Sendable {
    private let trips = JSONOutput()

    package init() {}

    /// Returns the line for a fact, without a line break.
    package func line(_ fact: ShipmentFact, of name: TaskTrackingName, time: Date) -> String {
        var line = Self.beginning(Self.event(of: fact), tracking: name.description, time: time)
        fill(&line, fact, name)
        return line.finished
    }

    /// Returns the line of a fact for a link's events, and the kind of its event; nil if links do not have this event. The line has the
    /// bare tracking id. The line for a route also has the polyline.
    package func linkLine(
        _ fact: ShipmentFact, of shipment: TaskTrackingInfo, time: Date
    ) -> (kind: LinkEventKind, text: String)? {
        let event = Self.event(of: fact)
        guard let kind = LinkEventKind(rawValue: event) else { return nil }
        var line = Self.beginning(event, tracking: shipment.name.trackingID, time: time)
        fill(&line, fact, shipment.name)
        if kind == .route { line.add("polyline", .string(EncodedPolyline.encode(shipment.route?.coordinates ?? []))) }
        return (kind, line.finished)
    }

    /// Returns an event's first keys, which are the same in all events.
    package static func beginning(_ event: String, tracking: String, time: Date) -> JSONLine {
        var line = JSONLine()
        line.add("t", .time(time))
        line.add("tracking", .string(tracking))
        line.add("event", .string(event))
        return line
    }

    private static func event(of fact: ShipmentFact) -> String {
        switch fact {
        case .replaced: "replaced"
        case .state: "state"
        case .window: "window"
        case .shared: "shared"
        case .freshness: "freshness"
        case .location: "location"
        case .eta: "eta"
        case .stops: "stops"
        case .route: "route"
        case .outcome: "outcome"
        case .failure: "error"
        case .recovered: "recovered"
        case .end: "end"
        }
    }

    private func fill(_ line: inout JSONLine, _ fact: ShipmentFact, _ name: TaskTrackingName) {
        switch fact {
        case .replaced: break
        case .state(let state): line.add("state", .string(state.rawValue))
        case .window(let window):
            line.add("start", window.map { .time($0.start) })
            line.add("end", window.map { .time($0.end) })
        case .shared(let parts, let interval): fill(&line, parts, interval)
        case .freshness(let state, let age, _): trips.fill(&line, .freshness(state, ageSeconds: age, previous: nil))
        case .location(let location, let age): trips.fill(&line, .location(location, ageSeconds: age))
        case .eta(let eta):
            line.add("eta", eta.arrival.map(JSONText.time))
            line.add("remaining_s", eta.remainingSeconds.map { .number($0, decimals: 0) })
            line.add("remaining_m", eta.remainingMeters.map { .number($0, decimals: 0) })
            line.add("completion", eta.completion.map(JSONText.time))
        case .stops(let before): line.add("stops_before", before.map(JSONText.integer))
        case .route(let points, let length): trips.fill(&line, .route(points: points, lengthMeters: length))
        case .outcome(let outcome, let time):
            line.add("outcome", .string(outcome.rawValue))
            line.add("time", time.map(JSONText.time))
        case .failure(let failure): trips.fill(&line, failure, message: ShipmentFailureWords(failure, of: name).sentence)
        case .recovered(let seconds): trips.fill(&line, .recovered(afterSeconds: seconds))
        case .end(let state, let outcome):
            line.add("state", .string(state.rawValue))
            line.add("outcome", outcome.map { .string($0.rawValue) })
        }
    }

    private func fill(_ line: inout JSONLine, _ parts: SharedParts, _ interval: Double) {
        line.add("location", .bool(parts.contains(.location)))
        line.add("route", .bool(parts.contains(.route)))
        line.add("eta", .bool(parts.contains(.eta)))
        line.add("completion", .bool(parts.contains(.completion)))
        line.add("distance", .bool(parts.contains(.distance)))
        line.add("stops", .bool(parts.contains(.stops)))
        line.add("interval_s", interval == interval.rounded() ? .number(interval, decimals: 0) : .number(interval, decimals: 1))
    }
}
