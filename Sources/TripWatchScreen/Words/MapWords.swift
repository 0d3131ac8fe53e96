import ConsumerMap
import FleetEngine
import FoundationEssentials
import TerminalMap
import TripWatchSettings
import TripWatchWords
package import VectorTiles

/// Texts about a base map from the network.
package enum MapWords {
    package static let loading = "map: loading"
    /// The map's projection cannot show the poles.
    static let polar = "map: ends at latitude 85"

    /// Returns the question that the user must answer before any map data is loaded, in one or two lines.
    /// - Parameters:
    ///   - columns: width of the screen. The question leaves one column free on each side if it can.
    ///   - mapColumns: width of the map, in which the first of two lines must fit.
    static func question(columns: Int, mapColumns: Int) -> [String] {
        let keys = "y now  A always  N never"
        if columns < 48 { return short(keys, columns: columns) }
        let room = columns - 2
        let (ask, warning) = ("Load a street map from OpenStreetMap?", "Its server sees the area you view.")
        let line = "\(ask) \(warning)  \(keys)  Esc not now"
        if line.count <= room { return [line] }
        if mapColumns < columns {
            let (rest, long) = ("\(warning)  \(keys)", "\(warning)  \(keys)  Esc not now")
            return [ask.count + 2 <= mapColumns ? ask : shortAsk, long.count <= room ? long : rest]
        }
        let first = wholeWords("\(ask) \(warning)", columns: room)
        let second = line.dropFirst(first.count).drop { $0 == " " }
        return second.count <= room ? [first, String(second)] : [ask, "\(keys)  Esc not now"]
    }

    private static let shortAsk = "Load a street map?"

    private static func short(_ keys: String, columns: Int) -> [String] {
        let line = "\(shortAsk)  \(keys)"
        if line.count <= columns - 2 { return [line] }
        return [shortAsk, keys.count <= columns ? keys : keys.replacing("y now", with: "y")]
    }

    /// Returns the text for the map's corner about trouble with the map's server.
    ///
    /// - Parameter seconds: time since the trouble began.
    package static func corner(_ kind: TileTrouble.Kind, seconds: Double) -> String {
        switch kind {
        case .offline: "map: offline" + (seconds < 60 ? "" : " for \(TripWords.age(seconds))")
        case .certificate: "map: bad certificate"
        case .refused(let status): "map: server refuses (\(status))"
        case .failed(let status): "map: server error (\(status))"
        case .busy(let status): "map: server is busy (\(status))"
        case .noRanges: "map: no HTTP ranges"
        case .notATileServer: "map: not a tile server"
        }
    }
}

extension AppState {
    /// Returns `follow off`, with the key that makes the map follow the car again. Nil while the map follows the car, before there is
    /// anything to follow, and after the trip.
    func followMark(dot: String) -> String? {
        guard !map.isAllowCameraAutoUpdate, drive != nil || page?.trip != nil || map.shipment?.vehicle != nil,
            page?.status.isFinal != true
        else { return nil }
        let key = keyMap.shortKey(.follow)
        return key.isEmpty ? "follow off" : "follow off\(dot)\(key)"
    }

    /// Whether tiles of the view are missing. Tiles around the view do not count.
    private var isMapIncomplete: Bool { baseMap == nil || !loadingTiles.isEmpty }

    /// Text in the map's corner about missing tiles of the view; nil if all tiles are loaded.
    var mapNote: String? {
        guard mapHost != nil, showsBaseMap, isMapIncomplete else { return nil }
        guard let (trouble, since) = mapTrouble else { return MapWords.loading }
        return MapWords.corner(trouble.kind, seconds: now.timeIntervalSince(since))
    }

    /// Time until the text in the map's corner changes, in seconds; nil if time does not change it.
    var secondsToNextMapNote: Double? {
        guard mapNote != nil, let (trouble, since) = mapTrouble, trouble.kind == .offline else { return nil }
        let seconds = now.timeIntervalSince(since)
        return seconds < 60 ? 60 - seconds : TripWords.secondsToNextAge(seconds)
    }

    /// Highest zoom level that maps usually have.
    private static let usualLastZoom = 14

    /// Note for the details panel: the map has no tiles of the wanted zoom level here, so tiles of a lower level are enlarged. Nil if no
    /// tiles are enlarged, or if the wanted tiles are still being loaded.
    var enlargementDetail: String? {
        guard let baseMap, showsBaseMap else { return nil }
        let known = Viewport(camera: map.camera, painter: painter).tiles(zoomRange: baseMap.zoomRange).map(\.id).filter(
            baseMap.tiles.isKnown)
        guard let zoom = known.first?.zoom, let drawn = known.compactMap({ baseMap.tiles.best(for: $0)?.id.zoom }).min() else { return nil }
        let wanted = max(zoom, min(Int(map.camera.zoom.rounded()), Self.usualLastZoom))
        return drawn < wanted ? "\(drawn), enlarged: the map has no tiles of zoom \(wanted) here" : nil
    }

    /// The base map's server and its last result, for the details panel.
    var mapDetail: String? {
        mapHost.map { host in mapTrouble.map { "\($0.trouble.host): \($0.trouble.words)" } ?? mapRemark ?? "from \(host)" }
    }
}
