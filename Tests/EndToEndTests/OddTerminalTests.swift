import FleetEngineAPI
import Foundation
import Glibc
import SwiftProtobuf
import TerminalHarness
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("Small and odd terminals, in the program", .timeLimit(.minutes(3)))
struct OddTerminalTests {
    @Test("five columns and one row are enough to show the arrival", arguments: [(5, 1), (12, 2), (19, 3)])
    func tiny(columns: Int, rows: Int) throws {
        let demo = try ProgramOnTerminal(["demo"], columns: columns, rows: rows)
        try demo.wait(for: "the arrival") { $0.contains("min") }
        #expect(!demo.text.contains("⋯") && !demo.text.contains("tripwatch"))
        demo.press("q")
        #expect(try demo.end() == 0)
    }

    @Test("on a line of 2 KB a second and 300 ms of delay, keys work, no frame remains incomplete, and nothing piles up")
    func slowLink() throws {
        let demo = try ProgramOnTerminal(["demo", "--speed", "30"])
        demo.terminal.link = SlowLink(bytesPerSecond: 2_000, delay: .milliseconds(300))
        try demo.wait(for: "PICKUP IN")
        for (key, isOpen) in [("?", true), ("?", false), ("e", true), ("e", false)] {
            let pressed = ContinuousClock.now
            demo.press(key)
            try demo.wait(for: "what \(key) shows") { ($0.contains("KEYS") || $0.contains("EVENTS")) == isOpen }
            // In 12 s, the line can send the buffered bytes, the current frame and the frame with the answer, but no further frame.
            #expect(ContinuousClock.now - pressed < .seconds(12), "\(key)")
        }
        let pressed = ContinuousClock.now
        demo.press("q")
        #expect(try demo.end() == 0)
        #expect(ContinuousClock.now - pressed < .seconds(8))
        try demo.terminal.wait(forOutput: "\u{1b}[?1049l")
        let frames = demo.terminal.outputText.split(separator: "\u{1b}[?2026h", omittingEmptySubsequences: false).dropFirst()
        #expect(!frames.isEmpty && frames.allSatisfy { $0.contains("\u{1b}[?2026l") })
        #expect(demo.terminal.virtual.unknown.isEmpty, "\(demo.terminal.virtual.unknown)")
    }

    @Test(
        "on a terminal of each kind the ride is shown, a key works, and the terminal is restored at the end",
        arguments: ["linux", "vt100", "screen-256color", "tmux-256color", "xterm-direct"].filter { PseudoTerminal.isInstalled($0) })
    func kinds(type: String) throws {
        let demo = try ProgramOnTerminal(["demo"], type: type)
        try demo.wait(for: "PICKUP IN")
        demo.press("?")
        try demo.wait(for: "KEYS")
        demo.press("?")
        try demo.wait(for: "the end of the help") { !$0.contains("KEYS") && $0.contains("PICKUP IN") }
        demo.press("q")
        #expect(try demo.end() == 0)
        #expect(demo.terminal.settings == demo.settings)
        #expect(demo.terminal.virtual.modes.subtracting([12, 25]) == [7])
        #expect(demo.terminal.virtual.unknown.isEmpty, "\(demo.terminal.virtual.unknown)")
    }

    @Test("for a screen reader, Enter repeats the current state")
    func enter() throws {
        try withEngine { grpc, http in
            let trip = try #require(
                try Program().run(["book", "--provider-url", "http://\(http)", "--from", "1,2", "--to", "1.01,2.01"]).lines.first)
            let follow = try ProgramOnTerminal(["follow", trip, "--endpoint", grpc, "--plaintext"], setting: ["ACCESSIBLE": "1"])
            let sentence = "Looking for a car."
            try follow.wait(for: sentence)
            follow.press("\r")
            try follow.wait(for: "it twice") { $0.ranges(of: sentence).count == 2 }
            follow.press("\r")
            try follow.wait(for: "it three times") { $0.ranges(of: sentence).count == 3 }
            follow.press("\u{3}")
            #expect(try follow.end() == 130)
        }
    }

    @Test("for a screen reader, Enter repeats the state of the trip and of the shipment")
    func enterForBoth() async throws {
        let shipment = "providers/demo/taskTrackingInfo/P-1"
        var script = FleetEngineScript()
        script.getTrip = { _, _ in MadeUpRide.trip(.enrouteToPickup) }
        script.getTaskTrackingInfo = { request, _ in
            .with {
                $0.name = request.name
                $0.state = .open
                $0.remainingStopCount = .init(1)
            }
        }
        try await ScriptedFleetEngine(script).serve { port in
            try await background {
                let follow = try ProgramOnTerminal(
                    ["follow", MadeUpRide.name, shipment, "--endpoint", "127.0.0.1:\(port)", "--plaintext"], setting: ["ACCESSIBLE": "1"])
                let sentences = ["The car is on its way to you.", "Shipment P-1: The shipment is on its way. You are next."]
                for count in 1...3 {
                    try follow.wait(for: "the sentences, \(count) times") { text in
                        sentences.allSatisfy { text.ranges(of: $0).count == count }
                    }
                    if count < 3 { follow.press("\r") }
                }
                follow.press("\u{3}")
                #expect(try follow.end() == 130)
            }
        }
    }

    @Test(
        "for a screen reader, a terminal shows a failure only as a sentence; redirected errors contain the details",
        arguments: ["providers/demo/trips/t", "providers/demo/taskTrackingInfo/t"])
    func failure(name: String) throws {
        let port = try LoopbackPort.free(SOCK_STREAM)
        let command = ["follow", name, "--plaintext", "--endpoint", "127.0.0.1:\(port)"]
        let follow = try ProgramOnTerminal(command, setting: ["ACCESSIBLE": "1"])
        try follow.wait(for: "The server cannot be reached. Trying again in ")
        #expect(!follow.text.contains("tripwatch:") && !follow.text.contains("refused"), "\(follow.text)")
        follow.press("\u{3}")
        #expect(try follow.end() == 130)
        let piped = try Program().start(command, setting: ["ACCESSIBLE": "1"])
        defer { piped.stop() }
        let line = try #require(piped.errorLine())
        #expect(line.contains("(127.0.0.1:\(port): connection refused). Trying again in "), "\(line)")
    }

    @Test(
        "among plain lines, a terminal shows a failure only as a line",
        arguments: ["providers/demo/trips/t", "providers/demo/taskTrackingInfo/t"])
    func plainFailure(name: String) throws {
        let port = try LoopbackPort.free(SOCK_STREAM)
        let follow = try ProgramOnTerminal(["follow", name, "--plaintext", "--endpoint", "127.0.0.1:\(port)", "-o", "plain"])
        try follow.wait(for: " offline     ")
        #expect(!follow.text.contains("tripwatch:"), "\(follow.text)")
        follow.press("\u{3}")
        #expect(try follow.end() == 130)
    }

    @Test("a server's clock that jumps by an hour makes no position old and no countdown absurd", arguments: [Int64(3_600), -3_600])
    func serverClock(jump: Int64) async throws {
        let engine = ScriptedFleetEngine { request, call, _ in
            let now = Int64(Date().timeIntervalSince1970) + (call > 3 ? jump : 0)
            return .with {
                $0.name = request.name
                $0.tripStatus = .enrouteToPickup
                $0.vehicleID = "car"
                $0.pickupTime.seconds = now + 300
                $0.etaToFirstWaypoint.seconds = now + 300
                $0.remainingTimeToFirstWaypoint.seconds = 300
                $0.remainingDistanceMeters.value = 900
                $0.lastLocation.location.latitude = -36 + Double(call) / 10_000
                $0.lastLocation.location.longitude = -20
                $0.lastLocation.serverTime.seconds = now
                $0.lastLocation.updateTime.seconds = now
            }
        }
        try await engine.serve { port in
            let running = try Program().start([
                "follow", "providers/p/trips/t", "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--interval", "1", "--output", "json",
            ])
            defer { running.stop() }
            let watch = LineWatch(running.output)
            let last = try await background { try #require(watch.line(with: "\"latitude\":-35.9992")) }
            let object = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
            #expect((0..<30).contains(try #require(object["age_s"] as? Double)), "\(last)")
            for line in watch.all where line.contains("\"event\":\"eta\"") {
                let eta = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                let seconds = try #require(eta["remaining_s"] as? Double)
                #expect((0...600).contains(seconds), "\(line)")
            }
        }
    }
}
