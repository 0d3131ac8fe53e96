import FoundationEssentials
package import VectorTiles

/// The words about a base map that comes over a network.
package enum MapWords {
    package static let loading = "map: loading"

    /// The question before anything is fetched, in one line or two.
    static func question(columns: Int) -> [String] {
        let keys = "y once  a always  n never"
        let whole = "Streets from OpenStreetMap? It sees where you look."
        guard columns < 78 else { return ["\(whole)  \(keys)"] }
        let short = "OpenStreetMap? It sees where you look."
        let fitting = [whole, short, "Ask OpenStreetMap?"].first { $0.count < columns } ?? short
        return [fitting, columns > keys.count ? keys : "y / a / n"]
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

    /// Whom the base map is asked from and what came of it last, for the details.
    var mapDetail: String? {
        mapHost.map { host in mapTrouble.map { "\($0.trouble.host): \($0.trouble.words)" } ?? mapRemark ?? "from \(host)" }
    }
}
