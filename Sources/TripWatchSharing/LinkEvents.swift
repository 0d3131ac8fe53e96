package import TripWatchWords

/// Everything that has happened to a link, for readers who come back: each event has a number, the same for all readers.
package struct LinkEvents: Sendable {
    /// Events that are kept.
    package static let capacity = 1_000

    package struct Event: Hashable, Sendable {
        /// From 1.
        package let id: Int
        /// A JSON object on one line.
        package let line: String

        /// As server-sent events have it (HTML, section 9.2).
        package var text: String { "id: \(id)\ndata: \(line)\n\n" }
    }

    private var kept: [Event] = []
    /// The last of each kind that still holds.
    private var present: [LinkEventKind: Event] = [:]
    package private(set) var lastID = 0
    /// The length of all events so far.
    package private(set) var byteCount = 0

    package init() {}

    package mutating func append(_ line: String, _ kind: LinkEventKind) {
        lastID += 1
        let event = Event(id: lastID, line: line)
        kept.append(event)
        if kept.count > Self.capacity { kept.removeFirst(kept.count - Self.capacity) }
        byteCount += event.text.utf8.count
        if kind == .recovered { present[.error] = nil } else { present[kind] = event }
    }

    /// What came after an event; nil where that is not known any more, or never was.
    package func after(_ id: Int) -> ArraySlice<Event>? {
        let oldest = kept.first?.id ?? lastID + 1
        guard id >= oldest - 1, id <= lastID, id >= 0 else { return nil }
        return kept[(id - oldest + 1)...]
    }

    /// How everything stands, as a stream. The number comes with the last event: who gets a part of it has none, and asks for all of it again.
    package var standingText: String {
        let events = standing.map { "data: \($0.line)\n\n" }
        return events.dropLast().joined() + (events.last.map { "id: \(lastID)\n\($0)" } ?? "")
    }

    /// How everything stands: the last event of each kind, the one about the trip first.
    package var standing: [Event] {
        let trip = present[.trip].map { [$0] } ?? []
        return trip + present.filter { $0.key != .trip }.values.sorted { $0.id < $1.id }
    }
}
