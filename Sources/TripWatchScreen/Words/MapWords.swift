import ConsumerMap
import FleetEngine
import FoundationEssentials
import TerminalMap
import TripWatchSettings
import TripWatchWords
package import VectorTiles

/// The words about a base map that comes over a network.
package enum MapWords {
    package static let loading = "map: loading"

    /// The question before anything is fetched, in one line or two.
    /// - Parameter columns: of the screen; the question keeps one column free at each side where it can.
    static func question(columns: Int) -> [String] {
        let keys = "y now  A always  N never"
        if columns < 48 { return short(keys, columns: columns) }
        let room = columns - 2
        let (ask, warning) = ("Load a street map from OpenStreetMap?", "It will see the area you look at.")
        let line = "\(ask) \(warning)  \(keys)  Esc not now"
        if line.count <= room { return [line] }
        let first = wholeWords("\(ask) \(warning)", columns: room)
        let second = line.dropFirst(first.count).drop { $0 == " " }
        return second.count <= room ? [first, String(second)] : [ask, "\(keys)  Esc not now"]
    }

    private static func short(_ keys: String, columns: Int) -> [String] {
        let ask = "Load a street map?"
        let line = "\(ask)  \(keys)"
        if line.count <= columns - 2 { return [line] }
        return [ask, keys.count <= columns ? keys : keys.replacing("y now", with: "y")]
    }

    /// The words in the map's corner.
    ///
    /// - Parameter seconds: since it began.
    package static func corner(_ kind: TileTrouble.Kind, seconds: Double) -> String {
        switch kind {
        case .offline: "map: offline" + (seconds < 60 ? "" : " since \(TripWords.age(seconds))")
        case .certificate: "map: certificate refused"
        case .refused(let status): "map: server refuses (\(status))"
        case .failed(let status): "map: server fails (\(status))"
        case .busy(let status): "map: server is busy (\(status))"
        case .noRanges: "map: no ranges"
        case .notATileServer: "map: not a tile server"
        }
    }
}

extension AppState {
    /// At the map's edge while it does not follow the car, with the key that turns it on; nil where it does, and where there is no car to follow.
    func followMark(dot: String) -> String? {
        guard !map.isAllowCameraAutoUpdate, drive != nil || page?.trip != nil, page?.status.isFinal != true else { return nil }
        let key = keyMap.shortKey(.follow)
        return key.isEmpty ? "follow off" : "follow off\(dot)\(key)"
    }

    /// Whether tiles of the view are missing. What is missing around it nobody sees.
    private var isMapIncomplete: Bool { baseMap == nil || !loadingTiles.isEmpty }

    /// The words in the map's corner, about what is in view; nil where there is nothing to say.
    var mapNote: String? {
        guard mapHost != nil, showsBaseMap, isMapIncomplete else { return nil }
        guard let (trouble, since) = mapTrouble else { return MapWords.loading }
        return MapWords.corner(trouble.kind, seconds: now.timeIntervalSince(since))
    }

    /// Until the words in the map's corner are others, seconds; nil where time does not change them.
    var secondsToNextMapNote: Double? {
        guard mapNote != nil, let (trouble, since) = mapTrouble, trouble.kind == .offline else { return nil }
        let seconds = now.timeIntervalSince(since)
        return seconds < 60 ? 60 - seconds : TripWords.secondsToNextAge(seconds)
    }

    /// Maps are usually made to this zoom, and show no more beyond.
    private static let usualLastZoom = 14

    /// That tiles are drawn enlarged because the map ends in the view, for the details; nil where it does not, or they have not come.
    var enlargementDetail: String? {
        guard let baseMap, showsBaseMap else { return nil }
        let known = Viewport(camera: map.camera, painter: painter).tiles(zoomRange: baseMap.zoomRange).map(\.id).filter(
            baseMap.tiles.isKnown)
        guard let zoom = known.first?.zoom, let drawn = known.compactMap({ baseMap.tiles.best(for: $0)?.id.zoom }).min() else { return nil }
        let wanted = max(zoom, min(Int(map.camera.zoom.rounded()), Self.usualLastZoom))
        return drawn < wanted ? "\(drawn), enlarged: the map has no tiles of zoom \(wanted) here" : nil
    }

    /// Whom the base map is asked from and what came of it last, for the details.
    var mapDetail: String? {
        mapHost.map { host in mapTrouble.map { "\($0.trouble.host): \($0.trouble.words)" } ?? mapRemark ?? "from \(host)" }
    }
}
