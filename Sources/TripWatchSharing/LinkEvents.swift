package import TripWatchWords

/// Numbered events of one link, kept for readers that reconnect. Every reader sees the same numbers.
package struct LinkEvents: Sendable {
    /// Maximum number of kept events.
    package static let capacity = 1_000

    package struct Event: Hashable, Sendable {
        /// Number of the event, from 1.
        package let id: Int
        /// A JSON object on one line.
        package let line: String

        /// The event in the server-sent events format (HTML, section 9.2).
        package var text: String { "id: \(id)\ndata: \(line)\n\n" }
    }

    private var kept: [Event] = []
    /// Latest event of each kind that is still in effect.
    private var present: [LinkEventKind: Event] = [:]
    package private(set) var lastID = 0
    /// Total length of all events so far, UTF-8 bytes.
    package private(set) var byteCount = 0

    package init() {}

    package mutating func append(_ line: String, _ kind: LinkEventKind) {
        lastID += 1
        let event = Event(id: lastID, line: line)
        kept.append(event)
        if kept.count > Self.capacity { kept.removeFirst(kept.count - Self.capacity) }
        byteCount += event.text.utf8.count
        switch kind {
        case .recovered: present[.error] = nil
        // All other events of the shipment are sent again.
        case .replaced: present = present.filter { $0.key == .shipment }
        default: present[kind] = event
        }
    }

    /// Events after the given one; nil when events after it were already dropped, or when the number was never used.
    package func after(_ id: Int) -> ArraySlice<Event>? {
        let oldest = kept.first?.id ?? lastID + 1
        guard id >= oldest - 1, id <= lastID, id >= 0 else { return nil }
        return kept[(id - oldest + 1)...]
    }

    /// The current state as an event stream. Only the last event carries a number, so a reader that receives part of the state has no
    /// number and requests all of it again.
    package var standingText: String {
        let events = standing.map { "data: \($0.line)\n\n" }
        return events.dropLast().joined() + (events.last.map { "id: \(lastID)\n\($0)" } ?? "")
    }

    /// The current state: the latest event of each kind, the one that names the trip or shipment first.
    package var standing: [Event] {
        let named = [LinkEventKind.trip, .shipment].compactMap { present[$0] }
        return named + present.filter { $0.key != .trip && $0.key != .shipment }.values.sorted { $0.id < $1.id }
    }
}
