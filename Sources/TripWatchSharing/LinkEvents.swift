package import TripWatchWords

/// The numbered events of one link. They are kept for readers that reconnect. All readers see the same numbers.
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
    /// The latest event of each kind, if it still describes the current state.
    private var present: [LinkEventKind: Event] = [:]
    package private(set) var lastID = 0
    /// Total length of all events so far, in bytes of UTF-8.
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
        // The link now shows another shipment. Only its `shipment` event stays: the others are outdated, and new ones follow.
        case .replaced: present = present.filter { $0.key == .shipment }
        default: present[kind] = event
        }
    }

    /// Returns the events after the event `id`. Nil if some of them are no longer kept, or if `id` is negative or above the last
    /// event's number.
    package func after(_ id: Int) -> ArraySlice<Event>? {
        let oldest = kept.first?.id ?? lastID + 1
        guard id >= oldest - 1, id <= lastID, id >= 0 else { return nil }
        return kept[(id - oldest + 1)...]
    }

    /// The current state as an event stream. Only the last event has a number. A reader that misses it has no number, and so requests
    /// the whole state again.
    package var standingText: String {
        let events = standing.map { "data: \($0.line)\n\n" }
        return events.dropLast().joined() + (events.last.map { "id: \(lastID)\n\($0)" } ?? "")
    }

    /// The current state: the latest event of each kind. The event with the name of the trip or shipment comes first.
    package var standing: [Event] {
        let named = [LinkEventKind.trip, .shipment].compactMap { present[$0] }
        return named + present.filter { $0.key != .trip && $0.key != .shipment }.values.sorted { $0.id < $1.id }
    }
}
