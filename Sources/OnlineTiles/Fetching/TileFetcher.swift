import FleetEngine
import FoundationEssentials
import HTTPCalls
import NIOHTTP1
import NIOSSL
import TileSources
import VectorTiles

/// Sends requests to the servers of a map. Observes the limits and the pauses of each host.
actor TileFetcher {
    /// A fetched tile, TileJSON or part of an archive.
    struct Piece: Sendable {
        let bytes: [UInt8]
        /// The ETag, which identifies the version of a file.
        let etag: String?
        /// Size of the whole file if a part of it was requested, in bytes; nil if the server does not report it.
        let fileByteCount: UInt64?
    }

    enum Outcome: Sendable {
        case piece(Piece)
        /// The server has no content at the address.
        case none
        /// The server refuses the tile, or sends a web page or unreadable bytes instead.
        case refused
        /// The tile is not available now: the server has failed, or its pause is not over.
        case later
    }

    private let settings: OnlineSettings
    private let gate: RequestGate
    private let tls: TLSConfiguration?
    private let transport: HTTPCall.Transport
    private let tell: @Sendable (TileNews) -> Void
    private var hosts: [String: HostPace] = [:]
    /// The problem that was last reported.
    private var told: TileTrouble?
    /// The remark that was last reported.
    private var toldRemark = ""
    /// Addresses of refused tiles. They are not requested again.
    private var refusals: Set<String> = []
    /// Largest number of addresses in `refusals`.
    private static let refusalLimit = 4_096
    private var alarms: [String: Task<Void, Never>] = [:]
    /// Tiles that have failed although the server sends other tiles.
    private var rests = TileRests()
    private var restAlarm: Task<Void, Never>?

    init(
        _ settings: OnlineSettings, tls: TLSConfiguration?, transport: @escaping HTTPCall.Transport,
        tell: @escaping @Sendable (TileNews) -> Void
    ) {
        (self.settings, self.tls) = (settings, tls)
        self.transport = transport
        self.tell = tell
        gate = RequestGate(limit: settings.limits.requestsInFlight, hostLimit: settings.limits.connectionsPerHost)
    }

    deinit {
        for alarm in alarms.values { alarm.cancel() }
        restAlarm?.cancel()
    }

    /// The check that an answer must pass before it is used.
    enum Check: Sendable {
        case no
        /// If the answer has a fault, the map cannot be used. The function returns the fault as a clause about the server; nil for a
        /// usable answer.
        case essential(@Sendable (Piece) -> String?)
        /// Until the host has sent a readable tile, the function checks each tile. After that, the function is not called, because a broken
        /// tile is then not a fault of the host. A tile that is refused or fails the check counts as missing, unless the host sends no
        /// tiles.
        case tile(lowestZoom: Int, @Sendable (Piece) -> String?)
    }

    /// The part of a file that is requested.
    struct Part: Hashable, Sendable {
        let range: Range<UInt64>
        /// The ETag that the file must have; nil for any version.
        var etag: String?
    }

    /// The sources from which an answer may come.
    enum Asked: Sendable {
        /// Looks in the store, then asks the server.
        case all
        /// Looks only in the store.
        case store
        /// Like `store`, but the stored answer is not marked as used.
        case storeUnused
    }

    /// Returns the content at an address. The stored answer is used if it is fresh, if no request may be sent, or if the request fails.
    ///
    /// - Parameters:
    ///   - part: the part of a file; nil requests the whole file.
    ///   - tile: the map and the tile; nil if the content is not a tile.
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

    /// Returns the stored tiles of a map, the most recently used first.
    func keptTiles(of map: String, limit: Int) async -> [TileID] { await settings.store?.tiles(of: map, limit: limit) ?? [] }

    /// Removes the stored answer for an address.
    func forget(_ url: WebURL, part: Part? = nil) async { await settings.store?.forget(Self.name(url, part)) }

    private static func name(_ url: WebURL, _ part: Part?) -> String {
        url.text + (part.map { "\n\($0.range.lowerBound)-\($0.range.upperBound)\n\($0.etag ?? "")" } ?? "")
    }

    /// Returns the outcome of a request to the server. If the tile was refused before, returns `.refused` without a request. Nil if the
    /// request may not be sent now, or if it failed and the tile does not count as missing.
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

    /// Whether the outcome is a readable tile. Tiles are decoded as a check until the host has sent a readable one. After that, every tile
    /// that is neither empty nor a JSON message counts as readable.
    ///
    /// - Throws: `WebFailure` for an answer that the map cannot use.
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

    /// Whether the answer may contain addresses with keys. Such an answer is not stored.
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
        // If a specific version of a file was requested, the part is stored only if the answer comes from that version.
        let etag = answer.headers.first(name: "etag")
        guard part?.etag == nil || part?.etag == etag else { return }
        let total = ContentRange(answer.headers.first(name: "content-range") ?? "")?.total
        await store.keep(
            TileStore.Entry(
                body: [200, 204, 206].contains(answer.status) ? answer.body : nil, etag: etag,
                modified: answer.headers.first(name: "last-modified"), fileByteCount: total, freshUntil: fresh),
            for: name, mark: tile, now: now)
    }

    /// Ends the pauses of all hosts and tiles. Refused tiles can then be requested again, too.
    func askNow() {
        for host in hosts.keys { hosts[host]?.askNow() }
        refusals = []
        rests = TileRests()
        wake()
    }

    /// Reports that unavailable tiles can be requested again.
    nonisolated func wake() { tell(.askAgain) }

    /// Records a failure of a host, because the map cannot use its answer.
    func refuse(_ url: WebURL, _ failure: WebFailure) { failed(url.shownHost, url.text, failure) }

    private func ask(_ url: WebURL, part: Part?, kept: TileStore.Entry?) async throws -> WebAnswer {
        let host = url.shownHost
        guard await gate.enter(host) else { throw CancellationError() }
        defer { gate.leave(host) }
        // The host may have failed while this request waited to be sent.
        if let pace = hosts[host], pace.pausedUntil > settings.time.now() { throw CancellationError() }
        var exchange = WebExchange(
            url: url, range: part?.range, limits: settings.limits, tls: url.scheme == "https" ? tls : nil, transport: transport)
        exchange.headers = [("user-agent", settings.userAgent), ("accept", "*/*")]
        if let etag = kept?.etag {
            exchange.headers.append(("if-none-match", etag))
        } else if let modified = kept?.modified {
            exchange.headers.append(("if-modified-since", modified))
        }
        return try await exchange.send(settings.time)
    }
}

// MARK: - State of the hosts

extension TileFetcher {
    private func succeeded(_ host: String, isTile: Bool) {
        let wasTroubled = hosts[host]?.trouble != nil
        hosts[host, default: HostPace()].succeed(isTile: isTile, at: settings.time.now())
        guard wasTroubled else { return }
        tellTrouble()
        wake()
    }

    /// Whether a failure means that only one tile is missing. If so, reports the failure, and the tile is not requested again.
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
        let remark = "\(host): \(failure.words); a tile is missing"
        if remark != toldRemark { tell(.remark(remark)) }
        toldRemark = remark
        return true
    }

    /// Returns whether the request may be sent to the host now.
    private func begin(_ name: String, at host: String, _ now: Date) -> Bool {
        if hosts[host, default: HostPace()].begin(name, at: now) { return true }
        // The request that should go first may have been cancelled, so this request is tried again soon.
        if hosts[host]?.hasYielded == true { setAlarm(host, at: now.addingTimeInterval(HostPace.yieldSeconds)) }
        return false
    }

    /// Notes a failure that may concern only this tile, if the host has sent other tiles: the tile is requested again after a pause.
    /// Returns whether the failure counts only for this tile, and not for the host (see ``HostPace/isOneTile(_:at:)``). In this case, also
    /// reports the problem.
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

    /// Reports a tile that is not in the store and cannot be requested, because the program is offline.
    private func tellOffline(_ host: String) {
        let trouble = TileTrouble(.offline, host: host, words: "no request is sent (--offline)", retrySeconds: .infinity)
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
