import HTTPServing
import TripWatchSharing

/// A reader that is connected to the events of a link. It gets all new events each time its connection can take more data.
@MainActor
final class LinkReader {
    /// The maximum total size, in bytes, of the events that may wait for a slow reader. If more events wait, the reader is disconnected.
    static let limit = 1 << 20
    /// Time without an event after which a keep-alive is sent.
    static let silence = Duration.seconds(15)

    let secret: LinkSecret
    private let connection: WebConnection
    /// Returns the events of the reader's link; nil once the link has ended.
    private let events: () -> LinkEvents?
    /// The events of a link that has ended; nil while the link exists. The reader still gets the events that it has not received.
    private var lastEvents: LinkEvents?
    /// The id of the last event sent to the reader; nil before the first event.
    private var lastID: Int?
    /// The total length of the link's events, in bytes, when events were last sent to the reader.
    private var takenBytes: Int
    private var waiting: CheckedContinuation<Void, Never>?
    private var lastTaken = ContinuousClock.now
    private var isClosed = false

    /// - Parameter after: the id of the last event that the reader received on an earlier connection.
    init(_ secret: LinkSecret, after: Int?, connection: WebConnection, events: @escaping () -> LinkEvents?) {
        self.secret = secret
        self.connection = connection
        self.events = events
        lastID = after
        takenBytes = events()?.byteCount ?? 0
    }

    /// Returns the next part of the stream; nil at its end.
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

    /// Returns the events that are new to the reader. If the reader's last event is unknown, returns the full state.
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

    /// Resumes the reader after an event, or after a time without events.
    func wake() {
        waiting?.resume()
        waiting = nil
    }

    /// Ends the stream after the last events of the link.
    func end(with events: LinkEvents) {
        lastEvents = events
        wake()
    }

    /// Called once a second. Disconnects the reader if it is too slow, and wakes it if a keep-alive is due.
    /// - Parameter byteCount: total length of the link's events so far, in bytes.
    func check(byteCount: Int) {
        if byteCount - takenBytes > Self.limit, waiting == nil { connection.close() }
        if ContinuousClock.now - lastTaken >= Self.silence { wake() }
    }

    /// Ends the stream because the connection has closed.
    func close() {
        isClosed = true
        wake()
    }
}
