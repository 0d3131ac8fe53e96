import FleetEngine
import ProgramSurroundings
import TerminalMap
import TripWatchScreen
import VectorTiles

/// Loads the tiles of a single frame. Leaves out a server's tiles that do not arrive in time.
@MainActor
final class MapFrameTiles {
    /// The maximum time to wait for a server's tiles, in seconds.
    private static let patienceSeconds = 10.0

    private let map: BaseMapSupply
    private let camera: Camera
    private let surroundings: Surroundings
    private let (changes, change) = AsyncStream.makeStream(of: Void.self)
    private(set) var base = BaseMap(tiles: TileCache(), zoomRange: 0...0, attribution: "")
    private var problem: String?
    private(set) var trouble: TileTrouble?

    nonisolated init(_ map: BaseMapSupply, camera: Camera, surroundings: Surroundings) {
        self.map = map
        self.camera = camera
        self.surroundings = surroundings
    }

    /// A note for a corner of the map if tiles from a server are missing; nil otherwise.
    var note: String? {
        guard map.host != nil, !missing.isEmpty else { return nil }
        return trouble.map { MapWords.corner($0.kind, seconds: 0) } ?? MapWords.loading
    }

    /// Loads the visible tiles and prints errors. If several tiles are unreadable, only one is mentioned.
    func load() async {
        guard let source = map.tiles else { return }
        base = BaseMap(tiles: TileCache(capacity: 1_024), zoomRange: source.zoomRange, attribution: source.attribution)
        let remote = source as? any RemoteTileSource
        let loader = TileLoader(source: source, limit: remote.map { _ in 6 }) { [weak self] in self?.add($0) }
        let listening = Task { [weak self] in
            guard let remote else { return }
            for await news in remote.news { self?.apply(news, from: remote, loader) }
        }
        let clock = Task { [change] in
            guard remote != nil, (try? await Task.sleep(for: .seconds(Self.patienceSeconds))) != nil else { return }
            change.finish()
        }
        loader.load(missing)
        if !missing.isEmpty { for await _ in changes where missing.isEmpty || isHopeless { break } }
        for task in [listening, clock] { task.cancel() }
        loader.load([])
        if let problem { surroundings.streams.say("tripwatch: \(problem)") }
    }

    /// Prints why tiles are missing, if the map is not complete.
    func tellTrouble() {
        guard note != nil else { return }
        let why = trouble.map(Self.words) ?? "its tiles did not arrive in time"
        surroundings.streams.say("tripwatch: the map is not complete: \(why).")
    }

    /// The reason why the server can never provide a map; nil if tiles have arrived, or may still arrive.
    var whyNoMap: String? {
        guard note != nil, let trouble, Self.isNoMap(trouble) else { return nil }
        return Self.words(trouble)
    }

    private static func words(_ trouble: TileTrouble) -> String { "\(printable(trouble.host)): \(printable(trouble.words))" }

    private static func isNoMap(_ trouble: TileTrouble) -> Bool {
        switch trouble.kind {
        case .noRanges, .notATileServer: true
        case .offline, .certificate, .refused, .failed, .busy: false
        }
    }

    private var missing: [TileID] { base.missingTiles(for: camera) }

    /// Whether waiting is useless: the server asks for a pause beyond the time limit, or can never provide a map.
    private var isHopeless: Bool { trouble.map { $0.retrySeconds > Self.patienceSeconds || Self.isNoMap($0) } ?? false }

    private func add(_ loaded: LoadedTiles) {
        for (id, tile) in loaded.tiles { base.tiles.insert(tile, for: id) }
        problem = problem ?? loaded.problem
        change.yield()
    }

    private func apply(_ news: TileNews, from source: any RemoteTileSource, _ loader: TileLoader) {
        switch news {
        case .trouble(let trouble): self.trouble = trouble
        case .askAgain: loader.retry()
        case .notice(let text): surroundings.streams.say("tripwatch: \(text)")
        case .remark: break
        case .details:
            (base.zoomRange, base.attribution) = (source.zoomRange, source.attribution)
            loader.load(missing)
        }
        change.yield()
    }
}
