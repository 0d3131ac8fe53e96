import Foundation
import Glibc
import Testing

@testable import ProgramHarness

/// A datagram socket that receives a service's messages, as the socket of a service manager does.
private final class NotifySocket {
    let path = FileManager.default.temporaryDirectory.appending(path: "tw-\(UUID().uuidString.prefix(8))").path
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

    init() throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        try #require(result == 0)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Returns the lines of the next message. Skips messages that only report that the service is alive.
    func next() -> [String] {
        while true {
            let lines = nextOfAny()
            if lines != ["WATCHDOG=1"] { return lines }
        }
    }

    func nextOfAny() -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

@Suite("Serve among other services", .timeLimit(.minutes(3)))
struct OperationTests {
    private static let serve = ["serve", "--grpc-port", "0", "--http-port", "0"]

    private func ports(_ line: String?) throws -> (grpc: String, http: String) {
        let line = try #require(line)
        let grpc = try #require(line.firstMatch(of: #/grpc=(\S+)/#)?.1)
        let http = try #require(line.firstMatch(of: #/https?=(\S+)/#)?.1)
        return (String(grpc), String(http))
    }

    private func ask(_ http: String, _ path: String, _ header: String = "") throws -> String {
        let connection = try TCPConnection(port: try #require(http.split(separator: ":").last.flatMap { Int($0) }))
        connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(header)Connection: close\r\n\r\n")
        return connection.read()
    }

    // MARK: - The service manager

    @Test("systemd's socket is notified: ready, reloading and ready again with each HUP, stopping; and it gets signs of life")
    func serviceManager() throws {
        let manager = try NotifySocket()
        let server = try Program().start(Self.serve, setting: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "200000"])
        let line = try #require(server.line())
        #expect(manager.next() == ["READY=1", "STATUS=\(line)"])
        var last = 0
        for _ in 1...2 {
            kill(server.process.processIdentifier, SIGHUP)
            let reloading = manager.next()
            #expect(reloading.first == "RELOADING=1")
            let moment = try #require(reloading.last?.firstMatch(of: #/^MONOTONIC_USEC=(\d+)$/#).flatMap { Int($0.1) })
            #expect(moment > last)
            last = moment
            #expect(manager.next() == ["READY=1"])
        }
        while manager.nextOfAny() != ["WATCHDOG=1"] {}
        server.process.terminate()
        #expect(manager.next() == ["STOPPING=1"])
        server.waitForEnd()
        #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
        #expect(server.line() == nil)
    }

    @Test("HUP without keys and certificate reports that in a line and ends nothing, even repeatedly")
    func hangUp() throws {
        let server = try Program().start(Self.serve)
        let lines = LineWatch(server.errors)
        let http = try ports(server.line()).http
        #expect(lines.line(with: "are kept only in memory") != nil)
        for _ in 1...2 {
            let before = lines.all.count
            kill(server.process.processIdentifier, SIGHUP)
            #expect(lines.line(with: "tripwatch: HUP: no keys and no certificate to reload.", after: before) != nil)
        }
        #expect(try ask(http, "/healthz").hasPrefix("HTTP/1.1 200"))
        server.stop()
        #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
    }

    @Test("the unit starts this program with valid options, and has the type that the program requires")
    func unit() throws {
        let file = Program.package.appending(path: "docs/tripwatch.service")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        // Debian 12 has systemd 252, which does not know the type notify-reload.
        #expect(lines.contains("Type=notify") && lines.contains("ExecReload=/bin/kill -HUP $MAINPID"))
        #expect(lines.contains("NoNewPrivileges=yes") && lines.contains("ProtectSystem=strict"))
        // A wrong configuration ends the server with this status.
        #expect(lines.contains("RestartPreventExitStatus=64"))
        let command = try #require(lines.first { $0.hasPrefix("ExecStart=") })
        let words = command.split(separator: " ").map(String.init)
        #expect(words.first == "ExecStart=/usr/local/bin/tripwatch" && words.dropFirst().first == "serve")
        // Only the names of options are tested, because the files and addresses in the service file do not exist on this machine.
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // The database is in the service's state folder, which systemd keeps from one start to the next.
        let database = try #require(words.firstIndex(of: "--database").flatMap { words.dropFirst($0 + 1).first })
        #expect(database == "/var/lib/tripwatch/engine.sqlite")
        let options = words.dropFirst(2).map { word in
            word == database ? folder.appending(path: "engine.sqlite").path : word.hasPrefix("/") ? "/nowhere" : word
        }
        let outcome = try Program().run(
            ["serve"] + options + ["--grpc-port", "0", "--http-port", "0"], setting: ["XDG_STATE_HOME": folder.path])
        #expect(outcome.status == 1 && outcome.errors.contains("/nowhere"), "\(outcome.errors)")
    }

    // MARK: - Metrics

    /// Returns the samples in a text in Prometheus format. Checks every line. The type of a family must come before its samples,
    /// and each histogram must be complete.
    private func samples(_ text: String) throws -> [String: Double] {
        var samples: [String: Double] = [:]
        var types: [String: String] = [:]
        for line in text.split(separator: "\n") {
            if let type = line.wholeMatch(of: #/# TYPE ([a-z_]+) (counter|gauge|histogram)/#) {
                #expect(types.updateValue(String(type.2), forKey: String(type.1)) == nil)
            } else if line.hasPrefix("#") {
                #expect(line.wholeMatch(of: #/# HELP [a-z_]+ \S.*/#) != nil, "\(line)")
            } else {
                let form = #/(([a-z_]+)(?:\{[a-z]+="[A-Za-z_0-9.+\-]+"(?:,[a-z]+="[A-Z_]+")*\})?) (\S+)/#
                let sample = try #require(line.wholeMatch(of: form), "\(line)")
                let family = String(sample.2).replacing(#/_(bucket|sum|count)$/#, with: "")
                let type = types[String(sample.2)] ?? types[family]
                #expect(type != nil && (type == "counter") == sample.2.hasSuffix("_total"), "\(line)")
                #expect(samples.updateValue(try #require(Double(sample.3)), forKey: String(sample.1)) == nil, "\(line)")
            }
        }
        for (family, type) in types where type == "histogram" {
            let buckets = samples.filter { $0.key.hasPrefix(family + "_bucket") }.values.sorted()
            #expect(samples[family + "_bucket{le=\"+Inf\"}"] == samples[family + "_count"] && buckets.last == samples[family + "_count"])
            #expect(samples[family + "_sum"] != nil)
        }
        return samples
    }

    @Test("/metrics counts the calls of both interfaces and of the desk together, and has every metric from the start")
    func metrics() throws {
        let server = try Program().start(Self.serve)
        defer { server.stop() }
        let (grpc, http) = try ports(server.line())
        func read() throws -> [String: Double] {
            let answer = try ask(http, "/metrics")
            #expect(answer.contains("200 OK") && answer.lowercased().contains("content-type: text/plain; version=0.0.4"))
            return try samples(String(answer.components(separatedBy: "\r\n\r\n").dropFirst().joined()))
        }
        let first = try read()
        #expect(first.keys.count { $0.hasPrefix("tripwatch_calls_total{rpc=\"") } == 25 * 17 && first.values.allSatisfy { $0 == 0 })
        for name in [
            "tripwatch_call_seconds_count", "tripwatch_store_seconds_count", "tripwatch_trips", "tripwatch_vehicles",
            "tripwatch_tasks", "tripwatch_delivery_vehicles",
            "tripwatch_jumps_discarded_total", "tripwatch_phone_clock_errors_total", "tripwatch_hook_dropped_total",
        ] {
            #expect(first[name] == 0, "\(name)")
        }
        #expect(try Program().run(["status", "providers/demo/trips/nobody", "--endpoint", grpc, "--plaintext"]).status == 3)
        #expect(try ask(http, "/v1/providers/demo/trips/nobody").contains("404"))
        #expect(try ask(http, "/trip/nobody").contains("404"))
        let booking = ["book", "--from", "52.5,13.4", "--to", "52.51,13.41", "--provider-url", "http://" + http]
        #expect(try Program().run(booking).status == 0)
        let second = try read()
        #expect(second["tripwatch_calls_total{rpc=\"GetTrip\",code=\"NOT_FOUND\"}"] == 3)
        #expect(second["tripwatch_calls_total{rpc=\"CreateTrip\",code=\"OK\"}"] == 1)
        #expect(second["tripwatch_trips"] == 1 && (second["tripwatch_call_seconds_count"] ?? 0) >= 4)
    }

    @Test("/healthz and /readyz require no key, /metrics requires the desk's")
    func keys() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try Program().start(Self.serve + ["--auth", "on", "--keys", folder.path])
        defer { server.stop() }
        let http = try ports(server.line()).http
        #expect(try ask(http, "/healthz").contains("200 OK") && ask(http, "/readyz").contains("200 OK"))
        #expect(try ask(http, "/metrics").contains("401"))
        let file = folder.appending(path: "desk.key")
        let key = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try ask(http, "/v1/providers/demo/trips/t").contains("401"))
        let answer = try ask(http, "/metrics", "Authorization: Bearer \(key)\r\n")
        #expect(answer.contains("200 OK") && answer.contains("{rpc=\"GetTrip\",code=\"UNAUTHENTICATED\"} 1\n"))
    }

    // MARK: - The fleet log

    @Test("a ride's fleet log, when replayed, is the same ride")
    func replayed() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tripwatch-fleet-\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try Program().start(Self.serve + ["--speed", "60", "--fleet-log", file.path])
        defer { server.stop() }
        let (grpc, http) = try ports(server.line())
        let car = try Program().start([
            "drive", "--vehicle", "car-1", "--simulate", "--create", "--speed", "60", "--dwell", "5", "--trips", "1", "--route",
            "-36.0000,-20.0000;-35.9400,-20.0000", "--endpoint", grpc, "--plaintext", "--provider", "demo",
        ])
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: " online") != nil, "\(lines.all)")
        let booking = ["book", "--from", "-35.9900,-20.0000", "--to", "-35.9800,-20.0000", "--provider-url", "http://" + http]
        let name = try #require(try Program().run(booking).lines.first)
        #expect(try ask(http, "/v1/providers/demo/trips/nobody").contains("404"))
        #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
        car.waitForEnd()
        server.stop()

        let entries = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(entries.contains { $0.contains(#""errorResponse":{"code":"NOT_FOUND","httpStatusCode":404,"#) })
        // fleet-debugger draws the car at the raw positions that its receiver reported.
        let reports = entries.filter { $0.contains("v1.UpdateVehicleLog") && $0.contains(#""lastLocation""#) }
        #expect(!reports.isEmpty && reports.allSatisfy { $0.contains(#""rawLocation""#) && $0.contains(#""rawLocationTime""#) })
        let replay = try Program().run(["replay", file.path, "--speed", "1000000", "--output", "json"])
        #expect(replay.status == 0, "\(replay.errors)")
        #expect(replay.lines.allSatisfy { $0.contains(name) }, "\(replay.lines)")
        var statuses = replay.lines.compactMap { $0.firstMatch(of: #/"status":"([A-Z_]+)"/#).map { String($0.1) } }
        statuses = statuses.enumerated().filter { $0 == 0 || statuses[$0 - 1] != $1 }.map(\.element)
        let ride = ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"]
        #expect(statuses.filter { $0 != "NEW" } == ride, "\(statuses)")
        #expect(replay.lines.contains { $0.contains("car-1") }, "\(replay.lines)")

        // This log has a half-written line, as if a server had been killed and another server had continued the file.
        let half = entries.dropLast() + [entries[entries.count / 2].prefix(200)] + entries.suffix(1)
        try half.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        let again = try Program().run(["replay", file.path, "--speed", "1000000", "--output", "json"])
        #expect(again.lines == replay.lines)
        let words = "line \(entries.count) of the recording is incomplete and was left out."
        #expect(again.errors.contains(words), "\(again.errors)")
        let imported = try Program().run(Self.serve + ["--import", file.path, "--exec", "true"])
        #expect(imported.status == 0 && imported.errors.contains(words), "\(imported.errors)")
    }

    /// Returns an entry as fleet-debugger converts it: all keys in lower case, without underscores.
    private func small(_ value: Any) -> Any {
        switch value {
        case let object as [String: Any]:
            Dictionary(object.map { ($0.key.lowercased().replacing("_", with: ""), small($0.value)) }) { first, _ in first }
        case let list as [Any]: list.map(small)
        default: value
        }
    }

    private func member(_ entry: Any?, _ path: String) -> Any? {
        path.split(separator: ".").reduce(entry) { ($0 as? [String: Any])?[String($1)] }
    }

    @Test("a fleet log in a .json file is a complete list at any moment, with the values that Google's fleet-debugger reads")
    func fleetDebugger() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tripwatch-fleet-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        func entries() throws -> [Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [Any]).map(small)
        }
        do {
            let server = try Program().start(Self.serve + ["--fleet-log", file.path])
            defer { server.stop() }
            let calls = try RESTCalls(ports(server.line()).http)
            try calls.book("ride", from: (-36, -20), to: (-36.01, -20))
            #expect(try calls.ask("GET", "trips/nobody").contains("404"))
            #expect(try entries().count == 5)
            let second = try Program().run(Self.serve + ["--fleet-log", file.path])
            #expect(
                second.status == 1
                    && second.errors == "tripwatch: --fleet-log \(file.path) cannot be written: another server is writing to it.\n")
            kill(server.process.processIdentifier, SIGKILL)
            server.waitForEnd()
        }
        let server = try Program().start(Self.serve + ["--fleet-log", file.path])
        defer { server.stop() }
        let calls = try RESTCalls(ports(server.line()).http)
        try calls.book("ride", from: (-36, -20), to: (-36.01, -20))
        let place = #"{"lastLocation":{"location":{"latitude":-36.005,"longitude":-20}}}"#
        #expect(try calls.ask("PUT", "vehicles/ride?updateMask=lastLocation", place).contains("200 OK"))
        #expect(try calls.ask("PUT", "trips/ride?updateMask=tripStatus", #"{"tripStatus":"COMPLETE"}"#).contains("200 OK"))

        let log = try entries()
        #expect(
            log.compactMap { member($0, "jsonpayload.@type") as? String }.map { $0.split(separator: ".").last ?? "" } == [
                "CreateVehicleLog", "UpdateVehicleLog", "CreateTripLog", "UpdateTripLog", "GetTripLog",
                "CreateVehicleLog", "UpdateVehicleLog", "CreateTripLog", "UpdateTripLog", "UpdateVehicleLog", "UpdateTripLog",
            ])
        let times = log.compactMap { member($0, "timestamp") as? String }
        #expect(
            times.count == log.count && times == times.sorted()
                && times.allSatisfy { $0.wholeMatch(of: #/\d{4}(-\d\d){2}T\d\d(:\d\d){2}(\.\d+)?Z/#) != nil })
        // fleet-debugger uses the name of the log to distinguish trips from deliveries, and groups entries by their insertId.
        #expect(
            log.allSatisfy {
                (member($0, "logname") as? String)?.contains("_delivery_vehicle") == false && member($0, "insertid") is String
            })
        let report = log[1]
        #expect(member(report, "jsonpayload.request.vehicle.lastlocation.location.latitude") as? Double == -36)
        #expect(member(report, "jsonpayload.response.state") as? String == "VEHICLE_STATE_ONLINE")
        #expect(member(report, "jsonpayload.response.lastlocation.location.longitude") as? Double == -20)
        #expect(member(log[9], "jsonpayload.response.currenttrips") as? [String] == ["ride"])
        let statuses = log.compactMap { member($0, "jsonpayload.response.status") as? String }
        #expect(statuses == ["NEW", "ENROUTE_TO_DROPOFF", "NEW", "ENROUTE_TO_DROPOFF", "COMPLETE"].map { "TRIP_STATUS_" + $0 })
        for entry in log where member(entry, "jsonpayload.response.status") != nil {
            #expect(member(entry, "jsonpayload.request.tripid") as? String == "ride")
        }
        #expect(member(log[2], "jsonpayload.request.trip.pickuppoint.point.latitude") as? Double == -36)
        #expect((member(log[4], "jsonpayload.errorresponse.message") as? String)?.isEmpty == false)

        let replay = try Program().run(["replay", file.path, "--speed", "1000000", "--output", "json"])
        #expect(replay.status == 0 && replay.lines.contains { $0.contains(#""status":"COMPLETE""#) }, "\(replay.errors)")
        try "[1, 2]".write(to: file, atomically: true, encoding: .utf8)
        let foreign = try Program().run(Self.serve + ["--fleet-log", file.path])
        #expect(
            foreign.status == 1 && foreign.errors.contains("the file exists, but is not a JSON array with one element per line."),
            "\(foreign.errors)")
        #expect(try String(contentsOf: file, encoding: .utf8) == "[1, 2]")
    }
}
