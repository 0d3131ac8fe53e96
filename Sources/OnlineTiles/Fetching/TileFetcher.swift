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
    /// Tiles at which a server fails that gives others.
    private var rests = TileRests()
    private var restAlarm: Task<Void, Never>?

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
        let name = Self.name(url, part)
        let began = settings.time.now()
        if case .tile = check, refusals.contains(url.text) { return .refused }
        if case .tile = check, rests.isResting(name, at: began) { return nil }
        guard begin(name, at: host, began) else { return nil }
        do {
            let answer = try await ask(url, part: part, kept: kept)
            if answer.isHTTP2 { gate.widen(host) }
            let outcome = try Self.outcome(answer, part: part, kept: kept)
            succeeded(host, isTile: try isTile(outcome, check, host))
            if rests.end(of: name) { tellTrouble() }
            settings.onRequest?(
                TileRequest(host: host, status: answer.status, byteCount: answer.body.count, seconds: seconds(since: began)))
            if !Self.namesKeys(outcome, part, check) { await keep(answer, at: url, part: part, of: tile, kept: kept) }
            return outcome
        } catch let failure as WebFailure {
            let isMissing = isMissing(tile, check, at: url, failure)
            if !isMissing, !restsAlone(name, check, at: host, failure) { failed(host, name, failure) }
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
        rests = TileRests()
        wake()
    }

    /// What could not be had before can be asked for again.
    nonisolated func wake() { tell(.askAgain) }

    /// What came from a host is nothing that a map can use.
    func refuse(_ url: WebURL, _ failure: WebFailure) { failed(url.shownHost, url.text, failure) }

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
}

// MARK: - How the hosts are

extension TileFetcher {
    private func succeeded(_ host: String, isTile: Bool) {
        let wasTroubled = hosts[host]?.trouble != nil
        hosts[host, default: HostPace()].succeed(isTile: isTile, at: settings.time.now())
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

    /// Whether a host may be asked for this now.
    private func begin(_ name: String, at host: String, _ now: Date) -> Bool {
        if hosts[host, default: HostPace()].begin(name, at: now) { return true }
        // The one that goes first instead may not be wanted any more.
        if hosts[host]?.hasYielded == true { setAlarm(host, at: now.addingTimeInterval(HostPace.yieldSeconds)) }
        return false
    }

    /// Whether a failure is one tile's: the server has given others lately. That tile rests, is told of, and is asked for again later.
    private func restsAlone(_ name: String, _ check: Check, at host: String, _ failure: WebFailure) -> Bool {
        guard case .tile = check, failure.mayBeOneTile, hosts[host]?.hasGivenTiles == true else { return false }
        let now = settings.time.now()
        rests.fail(name, failure, host: host, at: now)
        setRestAlarm()
        guard hosts[host]?.isOneTile(name, at: now) == true else { return false }
        tellTrouble()
        return true
    }

    private func setRestAlarm() {
        restAlarm?.cancel()
        guard let next = rests.next(after: settings.time.now()) else { return }
        restAlarm = Task { [weak self, time = settings.time] in
            if (try? await time.sleep(until: next)) != nil { await self?.endRest() }
        }
    }

    private func endRest() {
        wake()
        tellTrouble()
        setRestAlarm()
    }

    private func failed(_ host: String, _ name: String, _ failure: WebFailure) {
        let now = settings.time.now()
        hosts[host, default: HostPace()].fail(
            failure.kind, host: host, words: failure.words, askedSeconds: failure.askedSeconds, of: name, at: now)
        tellTrouble()
        if let until = hosts[host]?.pausedUntil { setAlarm(host, at: until) }
    }

    private func setAlarm(_ host: String, at date: Date) {
        alarms[host]?.cancel()
        alarms[host] = Task { [time = settings.time, tell] in
            if (try? await time.sleep(until: date)) != nil { tell(.askAgain) }
        }
    }

    /// It is not asked, and will not be.
    private func tellOffline(_ host: String) {
        let trouble = TileTrouble(.offline, host: host, words: "it is not asked (--offline)", retrySeconds: .infinity)
        if told != trouble { tell(.trouble(trouble)) }
        told = trouble
    }

    private func tellTrouble() {
        let worst = hosts.values.compactMap(\.trouble).first ?? rests.trouble(at: settings.time.now())
        guard worst != told else { return }
        told = worst
        tell(.trouble(worst))
    }
}
