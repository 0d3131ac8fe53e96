import FleetEngine
import FoundationEssentials
package import TripWatchSettings

/// An event for hooks: one JSON object, or environment variables. The schema is docs/hooks.schema.json.
package struct HookEvent: Hashable, Sendable {
    /// Id of the event, equal in every attempt.
    package let id: String
    package let moment: Moment

    package init(_ moment: Moment, id: String = UUID().uuidString.lowercased()) {
        (self.moment, self.id) = (moment, id)
    }

    /// JSON without line breaks. Every key is always present, with `null` for unknown. Only orders have a `kind`.
    package var json: String {
        var line = JSONLine()
        line.add("id", .string(id))
        line.add("t", .time(moment.time))
        line.add("trip", .string(moment.trip.description))
        if moment.kind == .order { line.add("kind", .string(moment.kind.rawValue)) }
        line.add("event", .string(moment.event.rawValue))
        line.add("status", .string(moment.status.name))
        line.add("eta", moment.arrival.map(JSONText.time))
        line.add("remaining_s", moment.remainingSeconds.map { .number($0, decimals: 0) })
        line.add("remaining_m", moment.remainingMeters.map { .number($0, decimals: 0) })
        line.add("changed_by_s", moment.changedBySeconds.map { .number($0, decimals: 0) })
        return line.finished
    }

    /// Environment variables of a command, empty for unknown. Only orders have a kind.
    package var variables: [String: String] {
        var variables = [
            "TRIPWATCH_EVENT": moment.event.rawValue, "TRIPWATCH_TRIP": moment.trip.description,
            "TRIPWATCH_STATUS": moment.status.name, "TRIPWATCH_ETA": moment.arrival.map(Timestamps.rfc3339) ?? "",
            "TRIPWATCH_REMAINING_S": moment.remainingSeconds.map { $0.fixed(decimals: 0) } ?? "",
            "TRIPWATCH_REMAINING_M": moment.remainingMeters.map { $0.fixed(decimals: 0) } ?? "",
        ]
        if moment.kind == .order { variables["TRIPWATCH_KIND"] = moment.kind.rawValue }
        return variables
    }
}
