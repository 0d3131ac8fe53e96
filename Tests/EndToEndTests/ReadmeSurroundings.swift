import Foundation
import Testing

@testable import ProgramHarness

/// Everything that the commands in the README and on the pages of docs/ need: a server with a car, trips, files and a home directory.
/// All of it is removed when this object is released.
final class ReadmeSurroundings {
    private let folder: Folder
    private let server: LocalServer
    private let car: Program.Running
    private let grpc: String
    private let setting: [String: String]
    /// The programs that run until the end of the current block.
    private var running: [Program.Running] = []
    /// The trips that were booked in the current block.
    private var trips: [String] = []
    private var link = "http://127.0.0.1:9/"
    private(set) var count = 0

    init() throws {
        folder = try Folder()
        server = try LocalServer(speed: 2)
        car = try server.drive("--create", "--route", "-36.000,-20.000;-36.005,-19.990")
        grpc = server.connection[1]
        setting = [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "TRIPWATCH_ENDPOINT": grpc, "TRIPWATCH_PLAINTEXT": "true",
            "COLUMNS": "80", "EDITOR": "true",
            "PATH": URL(filePath: Program.path).deletingLastPathComponent().path + ":/usr/bin:/bin",
        ]
        let town = Program.package.appending(path: "Sources/CTown/town.pmtiles").path
        try FileManager.default.createDirectory(atPath: folder.path + "/maps", withIntermediateDirectories: true)
        for name in ["monaco.pmtiles", "maps/berlin.pmtiles"] {
            try FileManager.default.copyItem(atPath: town, toPath: folder.path + "/" + name)
        }
        try FileManager.default.createDirectory(atPath: folder.path + "/.config/tripwatch", withIntermediateDirectories: true)
        let profiles = "[profiles.laptop]\nunits = \"us\"\n[profiles.local]\nendpoint = \"\(grpc)\"\n"
        _ = try folder.write(".config/tripwatch/config.toml", profiles)
        for (role, name) in [("consumer", "rider"), ("driver", "car")] {
            #expect(try Program().run(["token", "keys", "new", role, "--name", name], setting: setting).status == 0)
        }
        try writeFiles()
    }

    /// Writes the files that a reader of the pages is expected to have.
    private func writeFiles() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/.config/tripwatch/themes", withIntermediateDirectories: true)
        _ = try folder.write(".config/tripwatch/themes/mine.toml", "inherits = \"mono\"\n")
        let points = ["<trkpt lat=\"-36.000\" lon=\"-20.000\"/>", "<trkpt lat=\"-36.005\" lon=\"-19.990\"/>"].joined()
        _ = try folder.write("track.gpx", "<gpx version=\"1.1\"><trk><trkseg>\(points)</trkseg></trk></gpx>\n")
        let sentences = (0..<30).map { second in
            String(format: "$GPRMC,1200%02d,A,3600.%03d,S,02000.000,W,27.21,180.0,010130,,,A\r\n", second, second * 8)
        }
        _ = try folder.write("log.nmea", sentences.joined())
        for name in ["zones.geojson", "way.geojson"] {
            _ = try folder.write(
                name, #"{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[-20.0,-36.0],[-19.99,-36.005]]}}"#
            )
        }
        if FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") { try GuardedServer.makeCertificate(in: folder.path) }
    }

    deinit {
        car.stop()
        server.stop()
    }

    /// Runs a block's calls of tripwatch in order, except those in `UnstartedCommands`. Then runs the curl command that creates a trip, if
    /// the block has one. At the end, stops the programs that are still running, and cancels the block's trips.
    /// - Parameter page: the page in docs/ that contains the block; nil for the README.
    func run(_ block: String, of page: String? = nil) throws {
        let way = ["--from", "-36.005,-19.99", "--to", "-36.01,-19.98"]
        let booked = try Program().run(["book", "--provider-url", server.desk] + way, setting: setting)
        trips = [try #require(booked.lines.first, "\(booked.errors)")]
        for call in ShellWords.calls(in: block) where page.flatMap({ UnstartedCommands.entry(of: call, on: $0) }) == nil {
            let arguments = call.filter { $0 != "…" }.map(filled) + more(for: call)
            count += 1
            let isMap = call.first == "map" && !call.contains("--dump")
            switch (isMap, page) {
            case (true, nil): try showMap(arguments)
            // The map is shown on a screen only for the README. On other pages, the command prints a single frame, which is faster.
            case (true, _): try tell(arguments + ["--dump", "--size", "60x20"])
            case (false, _): try tell(arguments, expecting: call == ["config", "get", "basemap"] ? 1 : 0)
            }
        }
        // The test runs only the curl command that creates a trip. Some curl commands need what the test does not have, such as a chat
        // service or a phone that has been on a drive.
        for case let words in ShellWords.commands(in: block) where words.first == "curl" && words.contains("127.0.0.1:8080/trip/new") {
            try fetch(words)
        }
        running.forEach { $0.process.terminate() }
        for started in running {
            started.waitForEnd()
            note(String(decoding: started.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
        }
        running = []
        for trip in trips { _ = try server.cancel(trip) }
    }

    /// Returns a word of a command with the placeholder replaced by the real value.
    private func filled(_ word: String) -> String {
        let trip = trips.last ?? ""
        let whole = [
            "providers/PROVIDER/trips/TRIP": trip, "TRIP": trip, "$TRIP": trip, "PROVIDER": "demo", "LINK": link, "192.0.2.7": "127.0.0.1",
            "127.0.0.1:50051": grpc, "192.0.2.7:50051": grpc, "http://127.0.0.1:8080": server.desk, "http://192.0.2.7:8080": server.desk,
            "https://rides.example": server.desk, "48.50,9.10": "-36.005,-19.99", "48.52,9.15": "-36.01,-19.98",
            "http://127.0.0.1:9000/": "http://127.0.0.1:9/", "Monaco": "-36.005,-19.99",
        ]
        if let text = whole[word] { return text }
        if ["https://ntfy.sh/", "https://example.org/", "http://homeassistant.local"].contains(where: { word.hasPrefix($0) }) {
            return "http://127.0.0.1:9/"
        }
        if word.hasPrefix("~/") { return folder.path + word.dropFirst(1) }
        let isFile = [".pmtiles", ".trip", ".gpx", ".nmea", ".pem", ".geojson", ".jsonl", "recording.json"].contains { word.hasSuffix($0) }
        return isFile ? folder.path + "/" + word : word
    }

    /// Returns additional arguments for a call: free ports, because the usual ports may be in use; the arguments that `…` stands for after
    /// `drive`; and `--offline` if the map would come from the network.
    private func more(for call: [String]) -> [String] {
        switch call.first {
        case "serve": ["--grpc-port", "0", "--http-port", "0"]
        case "share" where !["list", "end"].contains(call.dropFirst().first): ["--http-port", "0"]
        case "drive" where call.contains("…"): driven(call)
        default: call.contains("osm") ? ["--offline"] : []
        }
    }

    /// Returns the arguments that `…` after `drive` stands for.
    private func driven(_ call: [String]) -> [String] {
        let isSimulated = !call.contains("--gpx") && !call.contains("--nmea")
        return ["--provider", "demo", "--create"] + (call.contains("--vehicle") ? [] : ["--vehicle", "car-of-page-\(count)"])
            + (isSimulated ? ["--route", "-36.000,-20.000;-36.005,-19.990"] : [])
            + (isSimulated && !call.contains("--simulate") ? ["--simulate"] : [])
    }

    /// - Parameter status: the expected exit code of a call that prints nothing.
    private func tell(_ arguments: [String], expecting status: Int32 = 0) throws {
        let words = arguments.joined(separator: " ")
        var setting = setting
        if arguments.prefix(2) == ["token", "inspect"] {
            let minted = try Program().run(["token", "mint", "--role", "consumer", "--trip", arguments.last ?? ""], setting: setting)
            let token = try #require(minted.lines.first, "\(minted.errors)")
            setting["TRIPWATCH_TOKEN"] = token
        }
        if arguments.first == "replay" || arguments.first == "export" { try keepRide(arguments[1]) }
        let started = try Program().start(arguments, setting: setting, longestSeconds: 90)
        let said = String(decoding: started.output.fileHandleForReading.availableData, as: UTF8.self)
        running.append(started)
        if said.isEmpty {
            started.waitForEnd()
            let errors = String(decoding: started.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(started.process.terminationStatus == status, "tripwatch \(words): \(errors)")
        }
        if arguments.first == "book" { note(said) }
        if arguments.first == "share" {
            link = said.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix("http") }.map(String.init) ?? link
        }
    }

    /// Remembers the trips that an output names. They are cancelled after the block, so that the car is free for the next block.
    private func note(_ said: String) {
        let names = said.replacing("\\/", with: "/").matches(of: #/providers/demo/trips/[-\w]+/#).map { String($0.output) }
        trips.insert(contentsOf: names.filter { !trips.contains($0) }, at: 0)
    }

    /// Replaces a recording that was cut short with the recording of a complete ride.
    private func keepRide(_ path: String) throws {
        let ride = Program.package.appending(path: "Tests/EndToEndTests/Fixtures/town.trip").path
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: ride, toPath: path)
    }

    private func showMap(_ arguments: [String]) throws {
        let screen = try ProgramOnTerminal(arguments, setting: setting)
        try screen.wait(for: "invented town")
        screen.press("q")
        #expect(try screen.end() == 0)
    }

    private func fetch(_ words: [String]) throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words + ["--silent", "--fail", "--max-time", "30"]
        process.arguments = process.arguments?.map { $0.replacing("127.0.0.1:8080", with: server.desk.dropFirst("http://".count)) }
        process.standardOutput = output
        try process.run()
        let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        note(answer)
        #expect(process.terminationStatus == 0 && trips.count > 1, "\(answer)")
    }
}
