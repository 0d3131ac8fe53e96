import Foundation
import Glibc
import Testing

@testable import ProgramHarness

/// The NMEA sentences and the positions of a car that drives due north at 14 m/s.
private struct NorthBound {
    private static func sentence(_ body: String) -> String {
        "$\(body)*" + String(format: "%02X", body.utf8.reduce(0, ^)) + "\r\n"
    }

    /// Returns the sentences for one second of the drive.
    /// - Parameter date: the date as `ddmmyy`.
    static func sentences(second: Int, date: String = "290224") -> String {
        let time = String(format: "%02d%02d%02d.00", 10 + second / 3_600, second / 60 % 60, second % 60)
        let minutes = (36 - Double(second) * 14 / 111_195) * 60
        let place = String(format: "%02d%09.6f,S,02000.000000,W", Int(minutes / 60), minutes.truncatingRemainder(dividingBy: 60))
        return sentence("GPRMC,\(time),A,\(place),27.21,0.00,\(date),,,A") + sentence("GPGGA,\(time),\(place),1,08,1.0,11.6,M,0.0,M,,")
    }
}

/// A gpsd on this machine. Its receiver sends datagrams.
private final class GPSD {
    static let path = ["/usr/sbin/gpsd", "/usr/bin/gpsd"].first { FileManager.default.isExecutableFile(atPath: $0) }

    let port: Int
    private let process = Process()
    private let receiverPort: Int
    private let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)

    init(path: String) throws {
        (port, receiverPort) = (try LoopbackPort.free(SOCK_STREAM), try LoopbackPort.free(SOCK_DGRAM))
        process.executableURL = URL(filePath: path)
        process.arguments = ["-N", "-n", "-b", "-S", "\(port)", "udp://127.0.0.1:\(receiverPort)"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        let deadline = Date() + 60
        while (try? TCPConnection(port: port)) == nil, Date() < deadline { sched_yield() }
    }

    deinit {
        kill()
        close(datagrams)
    }

    func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Sends NMEA sentences to gpsd, as a receiver would.
    func receive(_ text: String) { Self.send(text, to: receiverPort, on: datagrams) }

    private static func send(_ text: String, to port: Int, on descriptor: Int32) {
        for line in text.split(separator: "\r\n") {
            let bytes = Array((line + "\r\n").utf8)
            LoopbackPort.with(port: port) { _ = sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
        }
    }

    /// Sends the next sentences of a drive ten times a second, until the timer is cancelled.
    func receive(on queue: DispatchQueue) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let (descriptor, port) = (datagrams, receiverPort)
        let start = ContinuousClock.now
        timer.schedule(deadline: .now(), repeating: .milliseconds(100))
        timer.setEventHandler { @Sendable in
            let second = Int((ContinuousClock.now - start) / .milliseconds(100))
            Self.send(NorthBound.sentences(second: second), to: port, on: descriptor)
        }
        timer.resume()
        return timer
    }
}

/// A server that logs its requests.
private struct LoggingServer {
    let running: Program.Running
    let folder: Folder
    let connection: [String]
    let desk: String

    init(speed: Int, _ more: String...) throws {
        folder = try Folder()
        running = try Program().start(
            ["serve", "--grpc-port", "0", "--http-port", "0", "--speed", "\(speed)", "--fleet-log", folder.path + "/log"] + more)
        let words = try #require(running.line()).split(separator: " ")
        let grpc = try #require(words.first { $0.hasPrefix("grpc=") }).dropFirst(5)
        desk = "http://" + (try #require(words.first { $0.hasPrefix("http=") }).dropFirst(5))
        connection = ["--endpoint", String(grpc), "--plaintext", "--provider", "demo"]
    }

    func file(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: folder.path + "/" + name, atomically: true, encoding: .utf8)
        return folder.path + "/" + name
    }

    func book() throws -> String {
        let booked = try Program().run(["book", "--from", "-35.9850,-20.0", "--to", "-35.9700,-20.0", "--provider-url", desk])
        return try #require(booked.lines.first, "\(booked.errors)")
    }

    /// Returns the log's lines about updates of the vehicle that contain these words.
    func updates(with words: String) throws -> [String] {
        let log = try String(contentsOfFile: folder.path + "/log", encoding: .utf8)
        return log.split(separator: "\n").map(String.init).filter { $0.contains("UpdateVehicleLog") && $0.contains(words) }
    }

    /// The number of a driver's reports that set the vehicle to offline.
    var offlineCount: Int {
        get throws {
            try updates(with: "OFFLINE").count { line in
                let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                let request = (entry?["jsonPayload"] as? [String: Any])?["request"] as? [String: Any]
                return (request?["vehicle"] as? [String: Any])?["state"] as? String == "VEHICLE_STATE_OFFLINE"
            }
        }
    }
}

@Suite("The sources of a driver's positions", .timeLimit(.minutes(5)))
struct SourceTests {
    /// Returns the track of a car that stands still for a minute, and then drives past both stops. The track has a point every two seconds.
    /// With few steps, the track ends before the stops.
    private static func track(timed: Bool = true, steps: Int = 200) -> String {
        let points = (-30..<steps).map { index in
            let second = max(0, index * 2)
            let time = timed ? String(format: "<time>2024-02-29T10:%02d:%02dZ</time>", (index + 30) * 2 / 60, (index + 30) * 2 % 60) : ""
            return "<trkpt lat=\"\(-36 + Double(second) * 14 / 111_195)\" lon=\"-20\">\(time)</trkpt>"
        }
        return "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\"><trk><trkseg>\(points.joined(separator: "\n"))</trkseg></trk></gpx>\n"
    }

    private func drive(_ server: LoggingServer, _ more: String..., input: Pipe? = nil) throws -> Program.Running {
        try Program().start(["drive", "--vehicle", "car-1", "--create", "--dwell", "3"] + more + server.connection, input: input)
    }

    @Test("no source or two, an unknown format or an invalid address: one sentence and 64")
    func usage() throws {
        for arguments in [
            [], ["--simulate", "--gpx", "a"], ["--gpsd", "--nmea", "-"], ["--stdin", "nmea", "--replay", "a"],
            ["--stdin", "carrier-pigeon"],
            ["--gpsd", "a:b"],
        ] {
            let outcome = try Program().run(["drive", "--vehicle", "car-1", "--provider", "demo"] + arguments)
            #expect(outcome.status == 64, "\(arguments)")
            #expect(
                outcome.errors.contains("positions come from") || outcome.errors.contains("positions need")
                    || outcome.errors.contains(" takes "), "\(outcome.errors)")
        }
    }

    @Test("a missing, wrong or incomplete file: one sentence, 1, and nothing was reported")
    func wrongFiles() throws {
        let server = try LoggingServer(speed: 1)
        defer { server.running.stop() }
        let whole = Self.track()
        for (option, text, words) in [
            ("--gpx", "hello", "is not a GPX file"), ("--gpx", String(whole.prefix(100)), "is cut off on line"),
            ("--gpx", "<gpx></gpx>", "has no track or route with points"), ("--nmea", whole, "is not a file of NMEA sentences"),
            ("--nmea", "$GPRMC,,V,,,,,,,,,,N*53\r\n", "has no fix"), ("--replay", "hello", "is not JSON"),
            ("--replay", "{}", "has no vehicle or trip"), ("--gpx", "<gpx>\u{1B}[2J</gpx", "is cut off"),
        ] {
            let file = try server.file("wrong", text)
            let outcome = try Program().run(["drive", "--vehicle", "car-1", "--create", option, file] + server.connection)
            #expect(outcome.status == 1 && outcome.lines.isEmpty, "\(option) \(words)")
            #expect(outcome.errors.contains(words) && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
        for path in ["/nowhere", "/"] {
            let outcome = try Program().run(["drive", "--vehicle", "car-1", "--create", "--gpx", path] + server.connection)
            #expect(outcome.status == 1 && outcome.errors.contains("cannot be read"), "\(outcome.errors)")
        }
        let log = try String(contentsOfFile: server.folder.path + "/log", encoding: .utf8)
        #expect(log.isEmpty)
    }

    @Test("a GPX track serves the trip when it reaches the stops, then the vehicle is OFFLINE, once")
    func gpx() throws {
        let server = try LoggingServer(speed: 20)
        defer { server.running.stop() }
        let trip = try server.book()
        let car = try drive(server, "--gpx", try server.file("a.gpx", Self.track()), "--speed", "20")
        defer { car.stop() }
        let rider = try Program().start(["follow", trip, "--output", "json", "--interval", "1"] + server.connection)
        defer { rider.stop() }
        let seen = LineWatch(rider.output)
        let lines = LineWatch(car.output)
        #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
        #expect(seen.line(with: #""event":"end""#) != nil)
        car.waitForEnd()
        #expect(car.process.terminationStatus == 0)
        #expect(LineWatch(car.errors).line(with: "tripwatch: the GPX file has ended, so car-1 has stopped.") != nil)
        let statuses = lines.all.compactMap { $0.firstMatch(of: #/ status +([A-Z_]+)/#).map { String($0.1) } }
        #expect(statuses == ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"], "\(lines.all)")
        let latitudes = seen.all.compactMap { $0.firstMatch(of: #/"event":"location","latitude":(-?[0-9.]+)/#).flatMap { Double($0.1) } }
        #expect(latitudes.count > 3 && zip(latitudes, latitudes.dropFirst()).allSatisfy { $0 <= $1 }, "\(latitudes)")
        let offline = try server.offlineCount
        #expect(offline == 1)
        let unknown = try server.updates(with: #""value":-1"#)
        #expect(unknown.isEmpty)
    }

    @Test("a GPX track without times is driven to its end as well")
    func untimedGPX() throws {
        let server = try LoggingServer(speed: 20)
        defer { server.running.stop() }
        let car = try drive(server, "--gpx", try server.file("a.gpx", Self.track(timed: false, steps: 40)), "--speed", "20")
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: " online") != nil, "\(lines.all)")
        car.waitForEnd()
        #expect(car.process.terminationStatus == 0)
        #expect(LineWatch(car.errors).line(with: "tripwatch: the GPX file has ended, so car-1 has stopped.") != nil)
        let reported = try server.updates(with: "rawLocation").count
        #expect(reported > 1)
        let offline = try server.offlineCount
        #expect(offline == 1)
    }

    @Test("lines from a phone drive the car; an incomplete last line is ignored, and at the end the car is OFFLINE and the exit code 0")
    func standardInput() throws {
        let server = try LoggingServer(speed: 1)
        defer { server.running.stop() }
        let input = Pipe()
        let car = try drive(server, "--stdin", "owntracks", "--router", "straight", input: input)
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: " online") != nil, "\(lines.all)")
        let trip = try server.book()
        for metersBefore in [300, 0] {
            let latitude = -35.985 - Double(metersBefore) / 111_195
            let time = Date().timeIntervalSince1970
            let message = #"owntracks/a/b {"_type":"location","lat":\#(latitude),"lon":-20.0,"tst":\#(time),"acc":8,"vel":0}"#
            try input.fileHandleForWriting.write(contentsOf: Data((message + "\n").utf8))
            #expect(lines.line(with: metersBefore > 0 ? "route " : "ARRIVED_AT_PICKUP") != nil, "\(lines.all)")
        }
        #expect(lines.all.contains { $0.contains(trip) })
        try input.fileHandleForWriting.write(contentsOf: Data(#"{"_type":"location","lat":-35.9"#.utf8))
        try input.fileHandleForWriting.close()
        car.waitForEnd()
        #expect(car.process.terminationStatus == 0)
        #expect(LineWatch(car.errors).line(with: "tripwatch: standard input has ended, so car-1 has stopped.") != nil)
        let offline = try server.offlineCount
        #expect(offline == 1)
    }

    @Test("a stream in another format is reported in one sentence: OFFLINE, and 1")
    func wrongStream() throws {
        let server = try LoggingServer(speed: 1)
        defer { server.running.stop() }
        let input = Pipe()
        let car = try drive(server, "--stdin", "owntracks", input: input)
        defer { car.stop() }
        try input.fileHandleForWriting.write(contentsOf: Data(String(repeating: "hello\n", count: 500).utf8))
        #expect(car.errorLine() == "tripwatch: standard input is not a stream of owntracks positions.")
        car.waitForEnd()
        #expect(car.process.terminationStatus == 1)
        let offline = try server.offlineCount
        #expect(offline == 1)
    }

    @Test("an exported log is driven again, by the named vehicle or the only one in the log")
    func replay() throws {
        let server = try LoggingServer(speed: 60)
        defer { server.running.stop() }
        let log = Program.package.appending(path: "Tests/TripRecordingTests/Fixtures/made-up-ride.json").path
        let car = try drive(server, "--replay", log, "--speed", "60")
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: " online") != nil, "\(lines.all)")
        car.waitForEnd()
        #expect(car.process.terminationStatus == 0)
        let offline = try server.offlineCount
        #expect(offline == 1)
        let reported = try server.updates(with: "rawLocation").count
        #expect(reported > 3)
    }

    @Test(
        "a car with a real gpsd serves a trip to its end; when gpsd is killed the vehicle is OFFLINE, once, and that is reported",
        .enabled(if: GPSD.path != nil))
    func gpsd() throws {
        // The sentences are written much faster than their timestamps indicate, so the car seems to jump.
        let server = try LoggingServer(speed: 20, "--keep-jumps")
        defer { server.running.stop() }
        let daemon = try GPSD(path: try #require(GPSD.path))
        let car = try drive(server, "--gpsd", "127.0.0.1:\(daemon.port)", "--router", "straight", "--speed", "20")
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: " online") != nil, "\(lines.all)")
        let trip = try server.book()
        let rider = try Program().start(["follow", trip, "--output", "json", "--interval", "1"] + server.connection)
        defer { rider.stop() }
        let seen = LineWatch(rider.output)
        // The route is planned from the first position. The second position arrives before the route is ready.
        daemon.receive(NorthBound.sentences(second: 0))
        daemon.receive(NorthBound.sentences(second: 1))
        #expect(lines.line(with: "route ") != nil, "\(lines.all)")
        for second in 2...119 { daemon.receive(NorthBound.sentences(second: second)) }
        #expect(lines.line(with: "ENROUTE_TO_DROPOFF") != nil, "\(lines.all)")
        #expect(lines.line(with: "route       to dropoff") != nil, "\(lines.all)")
        #expect(seen.line(with: #""event":"location","latitude":-35.9"#) != nil, "\(seen.all)")
        for second in 120...239 { daemon.receive(NorthBound.sentences(second: second)) }
        #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
        #expect(seen.line(with: #""status":"COMPLETE""#) != nil, "\(seen.all)")
        #expect(car.process.isRunning)
        daemon.kill()
        #expect(car.errorLine() == "tripwatch: gpsd at 127.0.0.1:\(daemon.port) closed the connection.")
        car.waitForEnd()
        #expect(car.process.terminationStatus == 1)
        let offline = try server.offlineCount
        #expect(offline == 1)
    }

    @Test(
        "--here gpsd shows the receiver's position on the map; when gpsd ends, that is reported and the position removed",
        .enabled(if: GPSD.path != nil))
    func here() throws {
        let daemon = try GPSD(path: try #require(GPSD.path))
        let map = try ProgramOnTerminal(["map", "-36,-20,13", "--basemap", "none", "--here", "gpsd:127.0.0.1:\(daemon.port)"])
        try map.wait(for: "zoom 13")
        let receiver = daemon.receive(on: DispatchQueue(label: "receiver"))
        defer { receiver.cancel() }
        try map.wait(for: "✚")
        map.press("n")
        try map.wait(for: "Your position")
        map.press("g")
        try map.wait(for: "zoom 14")
        daemon.kill()
        try map.wait(for: "Your position: gpsd at 127.0.0.1:\(daemon.port) closed the connection.")
        #expect(!map.text.contains("✚"))
        map.press("q")
        #expect(try map.end() == 0)
        for wrong in ["gpsd:", "gpsd:a b", "geo:1,2000", "10"] {
            #expect(try Program().run(["map", "--dump", "--here", wrong]).status == 64, "\(wrong)")
        }
        let link = try Program().run(["map", "-36,-20,14", "--dump", "--basemap", "none", "--here", "geo:-36,-20;u=20"])
        #expect(link.status == 0)
    }

    @Test("no gpsd, or another program at its address: one sentence, 1, and nothing was reported")
    func noGPSD() throws {
        let server = try LoggingServer(speed: 1)
        defer { server.running.stop() }
        let nobody = try Program().run(["drive", "--vehicle", "car-1", "--create", "--gpsd", "127.0.0.1:9"] + server.connection)
        #expect(nobody.status == 1)
        #expect(nobody.errors == "tripwatch: gpsd at 127.0.0.1:9 cannot be reached: connection refused.\n")
        let desk = String(server.desk.dropFirst("http://".count))
        let other = try Program().run(["drive", "--vehicle", "car-1", "--create", "--gpsd", desk] + server.connection)
        #expect(other.status == 1)
        #expect(other.errors == "tripwatch: the server at \(desk) is not gpsd.\n")
        let log = try String(contentsOfFile: server.folder.path + "/log", encoding: .utf8)
        #expect(log.isEmpty)
    }

    /// Returns a driver's lines about the trip without the times at their beginning.
    private func ride(_ lines: [String]) -> [String] {
        lines.map { String($0.dropFirst(9)) }.filter { $0.hasPrefix("status ") || $0.hasPrefix("route ") }
    }

    @Test("a recorded drive, driven again, has the same events")
    func recorded() throws {
        let first = try LoggingServer(speed: 20)
        defer { first.running.stop() }
        let file = first.folder.path + "/drive.jsonl"
        let way = "-35.9880,-20.0000;-35.9600,-20.0000"
        let car = try drive(first, "--simulate", "--route", way, "--speed", "20", "--trips", "1", "--record", file)
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: " online") != nil, "\(lines.all)")
        _ = try first.book()
        #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
        car.waitForEnd()
        let again = try LoggingServer(speed: 20)
        defer { again.running.stop() }
        _ = try again.book()
        let repeated = try drive(again, "--replay", file, "--speed", "20", "--trips", "1")
        defer { repeated.stop() }
        let repeatedLines = LineWatch(repeated.output)
        #expect(repeatedLines.line(with: ": completed") != nil, "\(repeatedLines.all)")
        repeated.waitForEnd()
        #expect(repeated.process.terminationStatus == 0)
        #expect(ride(repeatedLines.all) == ride(lines.all))
        #expect(ride(lines.all).count == 6)
        let taken = try Program().run(["drive", "--vehicle", "car-1", "--simulate", "--record", file] + again.connection)
        #expect(taken.status == 1)
        #expect(taken.errors == "tripwatch: --record \(file) cannot be written: the file already exists.\n")
    }

    @Test("a driver that is killed has recorded everything but its last line")
    func killed() throws {
        let server = try LoggingServer(speed: 60)
        defer { server.running.stop() }
        let file = server.folder.path + "/drive.jsonl"
        let way = "-36.0000,-20.0000;-35.9600,-20.0000"
        let car = try drive(server, "--simulate", "--route", way, "--speed", "60", "--record", file)
        let lines = LineWatch(car.output)
        #expect(lines.line(with: " online") != nil, "\(lines.all)")
        kill(car.process.processIdentifier, SIGKILL)
        car.waitForEnd()
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.split(separator: "\n").count > 1)
        try (text + #"{"t":17000"#).write(toFile: file, atomically: true, encoding: .utf8)
        let again = try drive(server, "--replay", file, "--speed", "60")
        defer { again.stop() }
        again.waitForEnd()
        #expect(again.process.terminationStatus == 0)
    }
}
