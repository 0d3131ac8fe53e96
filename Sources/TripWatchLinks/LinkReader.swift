import HTTPServing
import TripWatchSharing

/// A reader of a link's events. It reads all new events whenever its connection has room.
@MainActor
final class LinkReader {
    /// Backlog at which a reader is disconnected, bytes.
    static let limit = 1 << 20
    /// Silence after which a keep-alive is sent.
    static let silence = Duration.seconds(15)

    let secret: LinkSecret
    private let connection: WebConnection
    /// The events of the reader's link; nil after the end of the link.
    private let events: () -> LinkEvents?
    /// Remaining events of a link that has ended.
    private var lastEvents: LinkEvents?
    /// The last event sent to the reader; nil before the first.
    private var lastID: Int?
    /// Length of all events at the last read, bytes.
    private var takenBytes: Int
    private var waiting: CheckedContinuation<Void, Never>?
    private var lastTaken = ContinuousClock.now
    private var isClosed = false

    /// - Parameter after: the last event that the reader received on an earlier connection.
    init(_ secret: LinkSecret, after: Int?, connection: WebConnection, events: @escaping () -> LinkEvents?) {
        self.secret = secret
        self.connection = connection
        self.events = events
        lastID = after
        takenBytes = events()?.byteCount ?? 0
    }

    /// The next part of the stream; nil at its end.
    func next() async -> WebBytes? {
        while !isClosed {
            guard let events = events() ?? lastEvents else { return nil }
            let text = read(events)
            if !text.isEmpty { return bytes(text) }
            if lastEvents != nil { return nil }
            await withCheckedContinuation { waiting = $0 }
            if isClosed { break }
            if ContinuousClock.now - lastTaken >= Self.silence { return bytes(":\n\n") }
        }
        return nil
    }

    /// Events that are new to the reader, or the full state if its last event is unknown.
    private func read(_ events: LinkEvents) -> String {
        takenBytes = events.byteCount
        defer { lastID = events.lastID }
        if let lastID, let news = events.after(lastID) { return news.map(\.text).joined() }
        return "retry: 2000\n\n" + events.standingText
    }

    private func bytes(_ text: String) -> WebBytes {
        lastTaken = .now
        return WebBytes(text.utf8)
    }

    /// Wakes the reader after an event, or after a silence.
    func wake() {
        waiting?.resume()
        waiting = nil
    }

    /// Ends the reader with the last events of its link.
    func end(with events: LinkEvents) {
        lastEvents = events
        wake()
    }

    /// Checks the reader once a second.
    /// - Parameter byteCount: length of all events so far, bytes.
    func check(byteCount: Int) {
        if byteCount - takenBytes > Self.limit, waiting == nil { connection.close() }
        if ContinuousClock.now - lastTaken >= Self.silence { wake() }
    }

    /// Ends the reader after its connection has closed.
    func close() {
        isClosed = true
        wake()
    }
}
