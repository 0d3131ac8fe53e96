import HTTPServing
import TripWatchSharing

/// One reader of a link's events: it takes what has come since it took last, whenever it has room.
@MainActor
final class LinkReader {
    /// A reader that is so far behind is let go, bytes.
    static let limit = 1 << 20
    /// After so much silence it is told that nothing has happened.
    static let silence = Duration.seconds(15)

    let secret: LinkSecret
    private let connection: WebConnection
    /// The events of its link; nil once that is no more.
    private let events: () -> LinkEvents?
    /// Those of a link that has ended.
    private var lastEvents: LinkEvents?
    /// The last event that it has been given; nil before the first.
    private var lastID: Int?
    /// The length of all events when it took last, bytes.
    private var takenBytes: Int
    private var waiting: CheckedContinuation<Void, Never>?
    private var lastTaken = ContinuousClock.now
    private var isClosed = false

    /// - Parameter after: the last event that it has had elsewhere.
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

    /// What it has not had yet, or how everything stands where that is not known.
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

    /// Something has happened, or enough time has passed.
    func wake() {
        waiting?.resume()
        waiting = nil
    }

    /// Its link has ended, with these events.
    func end(with events: LinkEvents) {
        lastEvents = events
        wake()
    }

    /// Looks after a reader once a second.
    /// - Parameter byteCount: the length of all events.
    func check(byteCount: Int) {
        if byteCount - takenBytes > Self.limit, waiting == nil { connection.close() }
        if ContinuousClock.now - lastTaken >= Self.silence { wake() }
    }

    /// Its connection is gone.
    func close() {
        isClosed = true
        wake()
    }
}
