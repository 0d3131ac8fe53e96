import FleetEngine
import FoundationEssentials
package import TripWatchSettings

/// An event for hooks, as one JSON object or as environment variables. The schema is docs/hooks.schema.json.
package struct HookEvent: Hashable, Sendable {
    private enum Content: Hashable, Sendable {
        case trip(Moment)
        case shipment(ShipmentMoment)
    }

    /// The id of the event, the same in every delivery attempt.
    package let id: String
    private let content: Content

    package init(_ moment: Moment, id: String = UUID().uuidString.lowercased()) {
        content = .trip(moment)
        self.id = id
    }

    package init(_ moment: ShipmentMoment, id: String = UUID().uuidString.lowercased()) {
        content = .shipment(moment)
        self.id = id
    }

    /// The name of the event.
    package var name: String {
        switch content {
        case .trip(let moment): moment.event.rawValue
        case .shipment(let moment): moment.event.rawValue
        }
    }

    /// The id of the trip or shipment.
    package var subject: String {
        switch content {
        case .trip(let moment): moment.trip.trip
        case .shipment(let moment): moment.shipment.trackingID
        }
    }

    /// The event as JSON without line breaks. Every key is always present, except `kind`, which only orders have. An unknown value
    /// is `null`.
    package var json: String {
        var line = JSONLine()
        line.add("id", .string(id))
        switch content {
        case .trip(let moment): moment.fill(&line)
        case .shipment(let moment): moment.fill(&line)
        }
        return line.finished
    }

    /// The environment variables for a command. An unknown value is empty. Only orders have a kind.
    package var variables: [String: String] {
        switch content {
        case .trip(let moment): moment.variables
        case .shipment(let moment): moment.variables
        }
    }
}

extension Moment {
    fileprivate func fill(_ line: inout JSONLine) {
        line.add("t", .time(time))
        line.add("trip", .string(trip.description))
        if kind == .order { line.add("kind", .string(kind.rawValue)) }
        line.add("event", .string(event.rawValue))
        line.add("status", .string(status.name))
        line.add("eta", arrival.map(JSONText.time))
        line.add("remaining_s", remainingSeconds.map { .number($0, decimals: 0) })
        line.add("remaining_m", remainingMeters.map { .number($0, decimals: 0) })
        line.add("changed_by_s", changedBySeconds.map { .number($0, decimals: 0) })
    }

    fileprivate var variables: [String: String] {
        var variables = [
            "TRIPWATCH_EVENT": event.rawValue, "TRIPWATCH_TRIP": trip.description,
            "TRIPWATCH_STATUS": status.name, "TRIPWATCH_ETA": arrival.map(Timestamps.rfc3339) ?? "",
            "TRIPWATCH_REMAINING_S": remainingSeconds.map { $0.fixed(decimals: 0) } ?? "",
            "TRIPWATCH_REMAINING_M": remainingMeters.map { $0.fixed(decimals: 0) } ?? "",
        ]
        if kind == .order { variables["TRIPWATCH_KIND"] = kind.rawValue }
        return variables
    }
}

extension ShipmentMoment {
    fileprivate func fill(_ line: inout JSONLine) {
        line.add("t", .time(time))
        line.add("tracking", .string(shipment.description))
        line.add("event", .string(event.rawValue))
        line.add("state", .string(state.rawValue))
        line.add("outcome", outcome.map { .string($0.rawValue) })
        line.add("eta", arrival.map(JSONText.time))
        line.add("remaining_s", remainingSeconds.map { .number($0, decimals: 0) })
        line.add("remaining_m", remainingMeters.map { .number($0, decimals: 0) })
        line.add("stops_before", stopsBefore.map(JSONText.integer))
        line.add("changed_by_s", changedBySeconds.map { .number($0, decimals: 0) })
    }

    fileprivate var variables: [String: String] {
        [
            "TRIPWATCH_EVENT": event.rawValue, "TRIPWATCH_TRACKING": shipment.description, "TRIPWATCH_STATE": state.rawValue,
            "TRIPWATCH_OUTCOME": outcome?.rawValue ?? "", "TRIPWATCH_ETA": arrival.map(Timestamps.rfc3339) ?? "",
            "TRIPWATCH_REMAINING_S": remainingSeconds.map { $0.fixed(decimals: 0) } ?? "",
            "TRIPWATCH_REMAINING_M": remainingMeters.map { $0.fixed(decimals: 0) } ?? "",
            "TRIPWATCH_STOPS_BEFORE": stopsBefore.map { "\($0)" } ?? "",
        ]
    }
}
