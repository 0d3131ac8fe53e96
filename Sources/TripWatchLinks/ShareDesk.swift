import FleetEngine
import FoundationEssentials
import HTTPServing
import JourneySharing
import Logging
import TerminalCanvas
import TerminalMap
import TripWatchScreen
import TripWatchSettings
import TripWatchSharing
import TripWatchWords

/// Holds the links, and answers requests for them.
@MainActor
final class ShareDesk {
    /// Largest number of pictures that are kept. Readers who request the same picture share it.
    private static let viewsKept = 32

    private struct ViewKey: Hashable {
        var secret: LinkSecret
        var picture: LinkPicture
        var isDrawing: Bool
    }

    private struct View {
        var bytes: Task<WebBytes, Never>
        var revision: Int
        var second: Int
    }

    private let access: HostAccess
    private let listening: String
    /// Limits the requests of each address, including requests for valid links; nil for no limit.
    private let rate: CallRate<CallerAddress>?
    private let limitsOwnRequests: Bool
    let map: ShareMap
    private let time: any TimeSource
    private let looks: ShareLooks
    private let log: Logger
    private let wrong = WrongSecrets()
    private var links: [any LinkContent] = []
    private var readers: [ObjectIdentifier: LinkReader] = [:]
    /// The streams of frames that are being sent.
    private var frameStreams: [ObjectIdentifier: FramePace] = [:]
    private var views: [ViewKey: View] = [:]
    /// Called when a link has ended.
    var onEnd: (FollowedName) -> Void = { _ in }
    /// Called when the last link has ended.
    private let onEmpty: () -> Void

    init(
        access: HostAccess, listening: String, rate: CallRate<CallerAddress>?, limitsOwnRequests: Bool, map: ShareMap,
        looks: ShareLooks, time: any TimeSource, log: Logger, onEmpty: @escaping () -> Void
    ) {
        self.access = access
        self.listening = listening
        self.rate = rate
        self.limitsOwnRequests = limitsOwnRequests
        self.map = map
        self.looks = looks
        self.time = time
        self.log = log
        self.onEmpty = onEmpty
    }
}

// MARK: - Links

extension ShareDesk {
    func add(_ link: any LinkContent) { links.append(link) }

    /// A link, as listed for its owner.
    struct Listed {
        var subject: FollowedName
        var secret: LinkSecret
        var endsAt: Date?
        /// Number of readers that are connected now.
        var readers: Int
    }

    var listed: [Listed] {
        links.map { link in
            let secrets = readers.values.map(\.secret) + frameStreams.values.map(\.secret)
            return Listed(
                subject: link.subject, secret: link.secret, endsAt: link.endsAt, readers: secrets.count { $0 == link.secret })
        }
    }

    /// Changes the link of a trip or shipment, and notifies its readers.
    func change<Link: LinkContent>(_ subject: FollowedName, _ work: (inout Link) -> Void) {
        for index in links.indices where links[index].subject == subject {
            change(index) { content in
                guard var link = content as? Link else { return }
                work(&link)
                content = link
            }
        }
    }

    private func change(_ index: Int, _ work: (inout any LinkContent) -> Void) {
        let known = links[index].events.lastID
        work(&links[index])
        if links[index].events.lastID != known { wake(links[index].secret) }
    }

    /// Updates the links once a second: sends changes that depend only on the time, disconnects slow readers, and ends expired links.
    func tick() {
        let now = time.now()
        for index in links.indices {
            change(index) { $0.tick(now) }
            for reader in readers.values where reader.secret == links[index].secret {
                reader.check(byteCount: links[index].events.byteCount)
            }
        }
        for link in links where link.isOver(at: now) { end(link.secret) }
    }

    /// Ends the link that has this secret.
    /// - Returns: whether the link existed.
    @discardableResult
    func end(_ text: Substring) -> Bool {
        guard let index = LinkSecret.place(of: text, among: links.map(\.secret)) else { return false }
        end(links[index].secret)
        return true
    }

    private func end(_ secret: LinkSecret) {
        guard let index = links.firstIndex(where: { $0.secret == secret }) else { return }
        links[index].end(at: time.now())
        let link = links.remove(at: index)
        for reader in readers.values where reader.secret == secret { reader.end(with: link.events) }
        views = views.filter { $0.key.secret != secret }
        log.info("link ended", metadata: [link.subject.logged.key: "\(link.subject.logged.id)"])
        onEnd(link.subject)
        if links.isEmpty { onEmpty() }
    }

    func endAll() { for link in links { end(link.secret) } }

    private func wake(_ secret: LinkSecret) { for reader in readers.values where reader.secret == secret { reader.wake() } }
}

// MARK: - Answers

extension ShareDesk {
    /// Returns the answer to a request.
    func answer(_ request: WebRequest) async -> WebAnswer {
        if let refusal = refusal(ofTooMany: request.connection) { return refusal }
        guard let host = request.host, let authority = request.authority, access.knows(host: host, listening: listening) else {
            return ShareAnswer.otherName
        }
        if let origin = request.header("origin"), !access.allows(origin: origin, authority: authority) { return ShareAnswer.empty(403) }
        guard ["GET", "HEAD"].contains(request.method) else { return ShareAnswer.empty(405) }
        let asked = LinkRequest(
            path: request.path, prefix: access.publicPath, query: request.query, accept: request.header("accept"),
            userAgent: request.header("user-agent"), lastEventID: request.header("last-event-id"))
        let place = LinkSecret.place(of: asked.secret, among: links.map(\.secret))
        if let refusal = refusal(of: asked.secret, isRight: place != nil, from: request.connection) { return refusal }
        guard let index = place else { return ShareAnswer.noLink(asked.form) }
        let link = links[index]
        switch asked.door {
        case .json: return ShareAnswer.json(link.json(at: time.now()))
        case .page: return asked.movedTo.map(ShareAnswer.moved) ?? page(link)
        case .badSize: return ShareAnswer.badSize
        case .events(let after): return request.method == "GET" ? events(link, after: after, request.connection) : ShareAnswer.noEvents
        case .map(let picture): return ShareAnswer.svg(await view(link, picture, isDrawing: true))
        case .picture(let picture) where picture.isFollowing && request.method == "GET":
            return frames(link, picture, request.connection)
        case .picture(let picture): return ShareAnswer.text(await view(link, picture, isDrawing: false))
        }
    }

    /// Counts a request. Returns the answer for an IP address above its rate limit; nil for all other addresses.
    private func refusal(ofTooMany connection: WebConnection) -> WebAnswer? {
        guard let rate, let address = connection.caller, limitsOwnRequests || address != .loopback else { return nil }
        do throws(FleetEngineError) {
            try rate.take(address)
            return nil
        } catch {
            return ShareAnswer.tooMany("requests", seconds: max(1, Int((error.retryDelaySeconds ?? 0).rounded(.up))))
        }
    }

    /// Returns the answer for an IP address that has tried too many wrong links; nil for other addresses, and for a link that the address
    /// has tried before. Writes each wrong or refused link to the log, without its secret.
    private func refusal(of secret: Substring, isRight: Bool, from connection: WebConnection) -> WebAnswer? {
        // Only text that is as long as a secret counts as a guess. Browsers and search engines also request many other paths.
        guard secret.utf8.count == LinkSecret.length else { return nil }
        let verdict = wrong.verdict(on: secret, isRight: isRight, from: connection.caller)
        guard verdict != .right else { return nil }
        var metadata: Logger.Metadata = ["reason": verdict == .wrong ? "no such link" : "too many wrong links"]
        if let address = connection.callerText { metadata["address"] = "\(address)" }
        log.info("link refused", metadata: metadata)
        guard case .tooMany(let seconds) = verdict else { return nil }
        return ShareAnswer.tooMany("wrong links", seconds: seconds)
    }

    private func page(_ link: any LinkContent) -> WebAnswer {
        let nonce = LinkSecret().text
        return ShareAnswer.html(link.html(at: time.now(), nonce: nonce), nonce: nonce)
    }

    private func events(_ link: any LinkContent, after: Int?, _ connection: WebConnection) -> WebAnswer {
        let secret = link.secret
        let reader = LinkReader(secret, after: after, connection: connection) { [weak self] in
            self?.links.first { $0.secret == secret }?.events
        }
        let id = ObjectIdentifier(reader)
        readers[id] = reader
        connection.onClose { [weak self] in
            Task { @MainActor in self?.readers.removeValue(forKey: id)?.close() }
        }
        return ShareAnswer.stream(AsyncStream { await reader.next() })
    }

    /// Returns a picture of the link's trip or shipment. All readers of the same view share it for up to a second.
    /// - Parameter isDrawing: whether the picture is the map as SVG; otherwise it is the screen as text.
    private func view(_ link: any LinkContent, _ picture: LinkPicture, isDrawing: Bool) async -> WebBytes {
        var picture = picture
        picture.isFollowing = false
        let key = ViewKey(secret: link.secret, picture: picture, isDrawing: isDrawing)
        let second = Int(time.now().timeIntervalSince1970)
        if let known = views[key], known.revision == link.revision, known.second == second { return await known.bytes.value }
        let bytes = Task { isDrawing ? await drawing(link, picture) : await frame(link, picture) }
        if views.count >= Self.viewsKept { views = [:] }
        views[key] = View(bytes: bytes, revision: link.revision, second: second)
        return await bytes.value
    }

    private func drawing(_ link: any LinkContent, _ picture: LinkPicture) async -> WebBytes {
        var state = link.map(picture.size)
        await map.furnish(&state)
        let theme = picture.isDark ? looks.dark : looks.light
        let (scene, camera) = AppView.map(of: state, theme: theme)
        return WebBytes(MapDrawing(scene, camera: camera, isLight: !picture.isDark, title: link.mapTitle).svg().utf8)
    }

    private func frame(_ link: any LinkContent, _ picture: LinkPicture) async -> WebBytes {
        var frame = link.frame(picture.size, at: time.now())
        if var screen = frame.screen {
            await map.furnish(&screen)
            frame.screen = screen
        }
        let canvas = canvas(of: frame, picture.size, picture.isPlain ? looks.plain : looks.terminal)
        let text = picture.isPlain ? canvas.text() : canvas.ansi(colors: .palette256)
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false).count
        return WebBytes((text + String(repeating: "\n", count: max(0, picture.size.rows - rows))).utf8)
    }

    private func canvas(of frame: LinkFrame, _ size: Size, _ theme: Theme) -> Canvas {
        let screen = frame.screen.map { AppView().canvas($0, theme: theme) }
        if frame.lines.isEmpty, let screen { return screen }
        var canvas = Canvas(size: size)
        for (row, line) in frame.lines.enumerated() { _ = canvas.write(line, column: 0, row: row, style: Style(), limit: size.columns) }
        if let screen { canvas.draw(screen, at: Position(column: 0, row: frame.lines.count)) }
        if let footer = frame.footer { _ = canvas.write(footer, column: 0, row: size.rows - 1, style: Style(), limit: size.columns) }
        return canvas
    }

    /// Returns a stream that sends a frame every second. On the reader's terminal, each frame overwrites the previous one. A slow reader
    /// gets fewer frames.
    private func frames(_ link: any LinkContent, _ picture: LinkPicture, _ connection: WebConnection) -> WebAnswer {
        let secret = link.secret
        let pace = FramePace(secret)
        let id = ObjectIdentifier(pace)
        frameStreams[id] = pace
        connection.onClose { [weak self] in
            Task { @MainActor in self?.frameStreams[id] = nil }
        }
        return ShareAnswer.stream(
            AsyncStream { @MainActor [weak self] in
                guard await pace.next(), let self else { return nil }
                guard let link = links.first(where: { $0.secret == secret }) else {
                    return pace.sayEnd() ? WebBytes("\n\(LinkPage.ended)\n".utf8) : nil
                }
                return WebBytes("\u{1b}[H\u{1b}[2J".utf8) + (await view(link, picture, isDrawing: false))
            }, type: "text/plain; charset=utf-8")
    }
}

/// The times at which a stream sends its frames.
@MainActor
private final class FramePace {
    /// The secret of the stream's link.
    let secret: LinkSecret
    private var last: ContinuousClock.Instant?
    private var isEndSaid = false

    init(_ secret: LinkSecret) { self.secret = secret }

    /// Waits until one second has passed since the previous frame.
    /// - Returns: false if the task was cancelled, or if the stream's final frame has been sent.
    func next() async -> Bool {
        if let last, (try? await Task.sleep(until: last + .seconds(1))) == nil { return false }
        last = .now
        return !isEndSaid
    }

    func sayEnd() -> Bool {
        defer { isEndSaid = true }
        return !isEndSaid
    }
}
