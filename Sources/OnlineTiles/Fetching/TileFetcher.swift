import FleetEngine
import FoundationEssentials
import NIOHTTP1
import NIOSSL
import TileSources
import VectorTiles

/// Asks the servers of a map, within the limits and at the pace that each of them can be asked.
actor TileFetcher {
    /// A piece of the map.
    struct Piece: Sendable {
        let bytes: [UInt8]
        /// Tells versions of a file apart.
        let etag: String?
        /// Of the whole file where a part of it was asked for; nil where the server does not say.
        let fileByteCount: UInt64?
    }

    enum Outcome: Sendable {
        case piece(Piece)
        /// The server has none there.
        case none
        /// The server gives no tile there: a refusal, a page or garbage came in its place.
        case refused
        /// Not now: the server is to be left alone, or could not be asked.
        case later
    }

    private let settings: OnlineSettings
    private let gate: RequestGate
    private let tls: TLSConfiguration?
    private let tell: @Sendable (TileNews) -> Void
    private var hosts: [String: HostPace] = [:]
    /// The trouble that was told last.
    private var told: TileTrouble?
    /// The remark that was told last.
    private var toldRemark = ""
    /// Addresses of tiles that were refused, so that they are not asked for again at each look.
    private var refusals: Set<String> = []
    /// More addresses than this are not remembered.
    private static let refusalLimit = 4_096
    private var alarms: [String: Task<Void, Never>] = [:]

    init(_ settings: OnlineSettings, tls: TLSConfiguration?, tell: @escaping @Sendable (TileNews) -> Void) {
        (self.settings, self.tls) = (settings, tls)
        self.tell = tell
        gate = RequestGate(limit: settings.limits.requestsInFlight, hostLimit: settings.limits.connectionsPerHost)
    }

    /// What is wrong with a piece.
    enum Check: Sendable {
        case no
        /// In words; nil for a piece that can be used. All else is nothing for a map.
        case essential(@Sendable (Piece) -> String?)
        /// As before, of a tile; one that is broken among good ones is the map's own matter. A tile that is refused is missing, until the host
        /// has refused several and given none.
        case tile(lowestZoom: Int, @Sendable (Piece) -> String?)
    }

    /// The part of a file that is asked for.
    struct Part: Hashable, Sendable {
        let range: Range<UInt64>
        /// The version of the file; nil for whichever there is.
        var etag: String?
    }

    /// Who is asked for a piece.
    enum Asked: Sendable {
        /// The server too.
        case all
        /// The store alone.
        case store
        /// The store alone, and that is no use of what is there.
        case storeUnused
    }

    /// The piece at an address, from the store where it is fresh there, or where it cannot be had otherwise.
    ///
    /// - Parameters:
    ///   - part: of a file; nil asks for all.
    ///   - tile: which tile it is; nil for other pieces.
    func piece(
        _ url: WebURL, part: Part? = nil, of tile: TileStore.Mark? = nil, check: Check = .no, from asked: Asked = .all
    ) async -> Outcome {
        let kept = await settings.store?.entry(Self.name(url, part), now: settings.time.now(), isUse: asked != .storeUnused)
        let isFresh = kept.map { $0.freshUntil > settings.time.now() } ?? false
        let old = kept.flatMap { Self.outcome($0, part: part) } ?? .later
        guard asked == .all else { return old }
        var outcome = old
        if isFresh || settings.isOffline {
            if settings.isOffline, case .later = old { tellOffline(url.shownHost) }
        } else {
            outcome = await fetched(url, part: part, of: tile, check: check, kept: kept) ?? old
        }
        if case .later = outcome {} else if isFresh || settings.isOffline { await settings.store?.count(isHit: true) }
        for sentence in await settings.store?.news() ?? [] { tell(.notice(sentence)) }
        return outcome
    }

    /// The tiles that are kept of a map with such a name in the store, the last used first.
    func keptTiles(of map: String, limit: Int) async -> [TileID] { await settings.store?.tiles(of: map, limit: limit) ?? [] }

    /// Forgets what was kept of an address.
    func forget(_ url: WebURL, part: Part? = nil) async { await settings.store?.forget(Self.name(url, part)) }

    private static func name(_ url: WebURL, _ part: Part?) -> String {
        url.text + (part.map { "\n\($0.range.lowerBound)-\($0.range.upperBound)\n\($0.etag ?? "")" } ?? "")
    }

    /// What the server has; nil where it cannot be asked now.
    private func fetched(_ url: WebURL, part: Part?, of tile: TileStore.Mark?, check: Check, kept: TileStore.Entry?) async -> Outcome? {
        let host = url.shownHost
        let began = settings.time.now()
        if case .tile = check, refusals.contains(url.text) { return .refused }
        guard hosts[host, default: HostPace()].begin(at: began) else { return nil }
        do {
            let answer = try await ask(url, part: part, kept: kept)
            if answer.isHTTP2 { gate.widen(host) }
            let outcome = try Self.outcome(answer, part: part, kept: kept)
            succeeded(host, isTile: try isTile(outcome, check, host))
            settings.onRequest?(
                TileRequest(host: host, status: answer.status, byteCount: answer.body.count, seconds: seconds(since: began)))
            if !Self.namesKeys(outcome, part, check) { await keep(answer, at: url, part: part, of: tile, kept: kept) }
            return outcome
        } catch let failure as WebFailure {
            let isMissing = isMissing(tile, check, at: url, failure)
            if !isMissing { failed(host, failure) }
            settings.onRequest?(TileRequest(host: host, seconds: seconds(since: began), failure: failure.words))
            return isMissing ? .refused : nil
        } catch {
            if hosts[host]?.giveUp() == true { wake() }
        }
        return nil
    }

    /// Whether what came is a tile that can be read.
    ///
    /// - Throws: `WebFailure` for what is nothing for a map.
    private func isTile(_ outcome: Outcome, _ check: Check, _ host: String) throws -> Bool {
        guard case .piece(let piece) = outcome else { return false }
        switch check {
        case .no: return false
        case .essential(let fault):
            if let words = fault(piece) { throw WebFailure(.notATileServer, words) }
            return false
        case .tile(_, let fault):
            if piece.bytes.first == UInt8(ascii: "{") { throw WebFailure(.notATileServer, "it answered with a message instead of a tile") }
            guard !piece.bytes.isEmpty else { return false }
            guard hosts[host]?.hasGivenTiles != true else { return true }
            if let words = fault(piece) { throw WebFailure(.notATileServer, words) }
            return true
        }
    }

    private func seconds(since began: Date) -> Double { max(0, settings.time.now().timeIntervalSince(began)) }

    /// A document that is no tile may name addresses with keys in them, which are nowhere written down.
    private static func namesKeys(_ outcome: Outcome, _ part: Part?, _ check: Check) -> Bool {
        guard case .essential = check, part == nil, case .piece(let piece) = outcome else { return false }
        return piece.bytes.contains(UInt8(ascii: "?"))
    }

    private func keep(_ answer: WebAnswer, at url: WebURL, part: Part?, of tile: TileStore.Mark?, kept: TileStore.Entry?) async {
        guard let store = settings.store else { return }
        let now = settings.time.now()
        let isSame = answer.status == 304
        await store.count(isHit: isSame)
        let name = Self.name(url, part)
        let rule = CacheRule(answer.headers, isGap: ![200, 206, 304].contains(answer.status), now: now)
        guard rule.isStored else { return await store.forget(name) }
        let fresh = now.addingTimeInterval(rule.freshSeconds)
        if isSame, var entry = kept {
            entry.freshUntil = fresh
            return await store.keep(entry, for: name, mark: tile, now: now)
        }
        // A part under the version that was asked for is kept under that version alone.
        let etag = answer.headers.first(name: "etag")
        guard part?.etag == nil || part?.etag == etag else { return }
        let total = ContentRange(answer.headers.first(name: "content-range") ?? "")?.total
        await store.keep(
            TileStore.Entry(
                body: [200, 204, 206].contains(answer.status) ? answer.body : nil, etag: etag,
                modified: answer.headers.first(name: "last-modified"), fileByteCount: total, freshUntil: fresh),
            for: name, mark: tile, now: now)
    }

    /// Forgets all waiting.
    func askNow() {
        for host in hosts.keys { hosts[host]?.askNow() }
        refusals = []
        wake()
    }

    /// What could not be had before can be asked for again.
    nonisolated func wake() { tell(.askAgain) }

    /// What came from a host is nothing that a map can use.
    func refuse(_ url: WebURL, _ failure: WebFailure) { failed(url.shownHost, failure) }

    private func ask(_ url: WebURL, part: Part?, kept: TileStore.Entry?) async throws -> WebAnswer {
        let host = url.shownHost
        guard await gate.enter(host) else { throw CancellationError() }
        defer { gate.leave(host) }
        // It may have begun to fail while this one waited for its turn.
        if let pace = hosts[host], pace.pausedUntil > settings.time.now() { throw CancellationError() }
        var exchange = WebExchange(url: url, range: part?.range, limits: settings.limits, tls: url.scheme == "https" ? tls : nil)
        exchange.headers = [("user-agent", settings.userAgent), ("accept", "*/*")]
        if let etag = kept?.etag {
            exchange.headers.append(("if-none-match", etag))
        } else if let modified = kept?.modified {
            exchange.headers.append(("if-modified-since", modified))
        }
        return try await exchange.send(settings.time)
    }

    /// Nil for something that is broken.
    private static func outcome(_ kept: TileStore.Entry, part: Part?) -> Outcome? {
        guard let body = kept.body else { return Outcome.none }
        guard let bytes = part == nil ? try? TileBlob.plain(body) : body else { return nil }
        return .piece(Piece(bytes: bytes, etag: kept.etag, fileByteCount: kept.fileByteCount))
    }

    private static func outcome(_ answer: WebAnswer, part: Part?, kept: TileStore.Entry?) throws -> Outcome {
        if answer.status == 304 {
            guard let kept, let outcome = outcome(kept, part: part) else {
                throw WebFailure(.notATileServer, "it says that nothing has changed, and nobody asked")
            }
            return outcome
        }
        // 204 is an empty tile. 404 may only mean that the map ends here.
        guard [200, 204, 206].contains(answer.status) else { return .none }
        var bytes = answer.body
        var total: UInt64?
        if let range = part?.range {
            if let encoding = answer.headers.first(name: "content-encoding")?.lowercased(), encoding != "identity" {
                throw WebFailure(.noRanges, "it compresses the file, so that its parts cannot be read")
            }
            guard let part = ContentRange(answer.headers.first(name: "content-range") ?? ""), part.first == range.lowerBound,
                part.count == UInt64(bytes.count), bytes.count <= range.count
            else { throw WebFailure(.noRanges, "it does not give the part of the file that was asked for") }
            total = part.total
        } else if let encoding = answer.headers.first(name: "content-encoding")?.lowercased() {
            // It was asked for gzip; some caches give what they have for browsers.
            if let name = ["br": "Brotli", "zstd": "Zstandard"][encoding] {
                throw WebFailure(.notATileServer, "its answer is compressed with \(name), which is not read")
            }
            do {
                bytes = try TileBlob.plain(bytes)
            } catch {
                throw WebFailure(.notATileServer, "its answer cannot be unpacked: \(error.words)")
            }
        }
        guard part != nil || !isPage(bytes) else { throw WebFailure(.notATileServer, "it answered with a web page") }
        return .piece(Piece(bytes: bytes, etag: answer.headers.first(name: "etag"), fileByteCount: total))
    }
}

extension TileFetcher {
    /// Whether bytes are markup. Neither a tile nor JSON begins so, and servers send either with any media type.
    private static func isPage(_ bytes: [UInt8]) -> Bool {
        let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        return text.first { ![0x09, 0x0a, 0x0d, 0x20].contains($0) } == UInt8(ascii: "<")
    }
}

// MARK: - How the hosts are

extension TileFetcher {
    private func succeeded(_ host: String, isTile: Bool) {
        let wasTroubled = hosts[host]?.trouble != nil
        hosts[host, default: HostPace()].succeed(isTile: isTile)
        guard wasTroubled else { return }
        tellTrouble()
        wake()
    }

    /// Whether a failure means that one tile is missing, and nothing for its host. That is told once, and not asked for again.
    private func isMissing(_ tile: TileStore.Mark?, _ check: Check, at url: WebURL, _ failure: WebFailure) -> Bool {
        guard case .tile(let lowestZoom, _) = check, let tile else { return false }
        switch failure.kind {
        case .refused, .notATileServer: break
        case .offline, .certificate, .failed, .busy, .noRanges: return false
        }
        let host = url.shownHost
        guard hosts[host, default: HostPace()].isMissing(zoom: tile.id.zoom, lowestZoom: lowestZoom) else { return false }
        succeeded(host, isTile: false)
        if refusals.count < Self.refusalLimit { refusals.insert(url.text) }
        let remark = "\(host): \(failure.words); that tile counts as missing"
        if remark != toldRemark { tell(.remark(remark)) }
        toldRemark = remark
        return true
    }

    private func failed(_ host: String, _ failure: WebFailure) {
        let now = settings.time.now()
        hosts[host, default: HostPace()].fail(
            failure.kind, host: host, words: failure.words, askedSeconds: failure.askedSeconds, at: now)
        tellTrouble()
        guard let until = hosts[host]?.pausedUntil else { return }
        alarms[host]?.cancel()
        alarms[host] = Task { [time = settings.time, tell] in
            if (try? await time.sleep(until: until)) != nil { tell(.askAgain) }
        }
    }

    /// It is not asked, and will not be.
    private func tellOffline(_ host: String) {
        let trouble = TileTrouble(.offline, host: host, words: "it is not asked (--offline)", retrySeconds: .infinity)
        if told != trouble { tell(.trouble(trouble)) }
        told = trouble
    }

    private func tellTrouble() {
        let worst = hosts.values.compactMap(\.trouble).first
        guard worst != told else { return }
        told = worst
        tell(.trouble(worst))
    }
}

/// `Content-Range: bytes FIRST-LAST/TOTAL` (RFC 9110, 14.4).
struct ContentRange: Hashable {
    let first: UInt64
    let count: UInt64
    /// Nil where it is not known.
    let total: UInt64?

    init?(_ text: String) {
        guard text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        let edges = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, edges.count == 2, let first = UInt64(edges[0]), let last = UInt64(edges[1]), first <= last, last < .max
        else {
            return nil
        }
        self.first = first
        count = last - first + 1
        total = UInt64(parts[1])
    }
}
