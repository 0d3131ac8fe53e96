import FoundationEssentials
import OnlineTiles
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords
import VectorTiles

extension DoctorRun {
    /// Returns the findings about the files that the program reads and writes.
    func fileFindings(in surroundings: Surroundings) async -> [Finding] {
        configurationFindings(in: surroundings) + themeFindings(in: surroundings) + [await cacheFinding(in: surroundings)]
    }

    /// Returns the findings about the user's own themes and the chosen theme.
    private func themeFindings(in surroundings: Surroundings) -> [Finding] {
        let folder = ThemeFolder(surroundings)
        let catalog = folder.catalog
        let own = catalog.names.filter { folder.file(of: $0 + ".toml") != nil }
        var findings = own.flatMap { name in
            let faults = catalog.faults(of: name)
            return faults.prefix(1).map { fault in
                let more = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
                return Finding(
                    .warn, "theme", fault.text(path: folder.file(of: fault.file) ?? fault.file) + more + ".",
                    advice: "'tripwatch themes check \(name)' lists all errors.")
            }
        }
        if let chosen = look.theme, !catalog.names.contains(chosen) {
            findings.append(
                Finding(.fail, "theme", "\(catalog.missing(chosen)).", advice: "'tripwatch themes list' lists the themes."))
        }
        guard findings.isEmpty else { return findings }
        return [Finding(.ok, "theme", "\(look.theme ?? "chosen to suit the terminal"); \(catalog.names.count) available.")]
    }

    private func configurationFindings(in surroundings: Surroundings) -> [Finding] {
        switch configuration {
        case .unreadable(let failure): return [Finding(.fail, "configuration", failure.message)]
        case .read(let configuration, let messages):
            let faults = messages.map {
                Finding(
                    $0.endsCommands ? .fail : .warn, "configuration", $0.ended, advice: "'tripwatch config check' lists all errors.")
            }
            let missing = configuration.files.filter { !FileManager.default.fileExists(atPath: $0.path) }.map {
                Finding(
                    .warn, "configuration", "\($0.key): \(printable($0.path)) does not exist.",
                    advice: "Correct the path, or create the file.")
            }
            guard faults.isEmpty, missing.isEmpty else { return faults + missing }
            guard let file = surroundings.configurationFile else {
                return [
                    Finding(
                        .warn, "configuration", "the folder of the configuration file is unknown, because HOME is not set.",
                        advice: "Set HOME.")
                ]
            }
            let exists = FileManager.default.fileExists(atPath: file.path)
            return [
                Finding(
                    .ok, "configuration",
                    exists ? "\(printable(file.path))." : "\(printable(file.path)) does not exist; it is not required.")
            ]
        }
    }

    private func cacheFinding(in surroundings: Surroundings) async -> Finding {
        guard let store = look.map.tileStore(in: surroundings) else {
            return Finding(
                .warn, "cache", "the folder of the tile cache is unknown, so map tiles are downloaded every time.", advice: "Set HOME.")
        }
        guard let figures = await store.figures() else { return Finding(.ok, "cache", "empty.") }
        let tiles = figures.tileCount == 1 ? "1 tile" : "\(figures.tileCount) tiles"
        return Finding(.ok, "cache", "\(tiles), \((figures.byteCount + 500_000) / 1_000_000) MB.")
    }

    /// Returns the findings about the base map that the configuration or a flag sets. If the map comes from a server, requests one tile,
    /// except with --offline.
    func mapFindings(in surroundings: Surroundings) async -> [Finding] {
        guard look.map.map != nil else {
            return [
                Finding(
                    .ok, "map", "no map is configured: 'follow' offers to load one, or shows a grid.",
                    advice: "--basemap osm shows streets.")
            ]
        }
        var map = look.map
        map.isConfigured = false
        let supply: BaseMapSupply
        do throws(Failure) { supply = try map.open(standard: .none, in: surroundings) } catch {
            return [Finding(.fail, "map", error.message, advice: "--basemap takes 'none', 'town', 'osm', a file or an address.")]
        }
        guard let tiles = supply.tiles else { return [Finding(.ok, "map", "turned off.")] }
        guard let remote = tiles as? any RemoteTileSource else {
            return [Finding(.ok, "map", "readable, zoom levels \(tiles.zoomRange.lowerBound) to \(tiles.zoomRange.upperBound).")]
        }
        if map.isOffline { return [Finding(.ok, "map", "only cached tiles are used, because of --offline.")] }
        return [await mapServerFinding(remote, host: supply.host ?? "the server")]
    }

    private func mapServerFinding(_ source: any RemoteTileSource, host: String) async -> Finding {
        let trouble = await within(Self.serverSeconds) { () async -> TileTrouble? in
            let news = source.news
            // If the server refuses the tile, its ancestors are requested. A server that refuses all of them has a problem.
            guard let tile = TileID(zoom: 2, x: 2, y: 1) else { return nil }
            if case .notYet = await source.nearest(to: tile) {
                for await item in news {
                    if case .trouble(let trouble) = item { return trouble }
                }
            }
            return nil
        }
        let advice = "Until the server sends tiles, cached ones are shown."
        switch trouble {
        case nil:
            return Finding(.warn, "map", "\(host) did not answer within \(Int(Self.serverSeconds)) s.", advice: advice)
        case .some(nil): return Finding(.ok, "map", "\(host) answers.")
        case .some(let trouble?):
            return Finding(.warn, "map", "\(trouble.host): \(trouble.words).", advice: advice)
        }
    }
}
