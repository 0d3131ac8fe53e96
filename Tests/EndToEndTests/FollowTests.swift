import FleetEngineAPI
import Foundation
import GRPCCore
import SwiftProtobuf
import Synchronization
import Testing
import TripTesting

@testable import ProgramHarness

/// Returns the lines of a program as it prints them. They are read on a separate thread.
private func lines(of running: Program.Running) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
        while let line = running.line() { continuation.yield(line) }
        continuation.finish()
    }
    return stream
}

private let name = "providers/demo/trips/made-up-ride"

/// Creates a trip as a server would return it at the current time.
private func trip(_ status: WireTripStatus, vehicle: String = "", hasPosition: Bool = false, arrivesIn seconds: Int64? = nil) -> WireTrip {
    let now = Int64(Date().timeIntervalSince1970)
    return .with {
        $0.name = name
        $0.tripStatus = status
        $0.vehicleID = vehicle
        if let seconds {
            $0.pickupTime.seconds = now + seconds
            $0.remainingDistanceMeters.value = 900
        }
        guard hasPosition else { return }
        $0.lastLocation = .with {
            $0.location.latitude = -36
            $0.location.longitude = -20
            $0.serverTime.seconds = now
        }
    }
}

@Suite("follow with a scripted server", .timeLimit(.minutes(2)))
struct FollowTests {
    /// Returns the first `count` freshness values in the output of `follow`.
    private func freshness(
        of engine: ScriptedFleetEngine, count: Int, arguments: [String] = []
    ) async throws -> (states: [String?], all: [String]) {
        try await engine.serve { port in
            let running = try Program().start(
                ["follow", name, "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--interval", "1", "--output", "json"] + arguments)
            defer { running.stop() }
            var states: [String?] = []
            var all: [String] = []
            for await line in lines(of: running) {
                all.append(line)
                let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                guard object["event"] as? String == "freshness" else { continue }
                states.append(object["state"] as? String)
                if states.count == count { break }
            }
            return (states, all)
        }
    }

    @Test("the recording of a trip that has ended has its car, even if the server answers late and the lines are JSON")
    func recordedCar() async throws {
        let folder = try Folder()
        let file = folder.path + "/ride.trip"
        let (told, tell) = AsyncStream<Void>.makeStream()
        var script = FleetEngineScript()
        script.getTrip = { _, _ in trip(.complete, vehicle: "car-1") }
        script.getVehicle = { request, _ in
            // The loop waits until the program has printed the trip's line.
            for await _ in told {}
            return .with { $0.name = request.name }
        }
        try await ScriptedFleetEngine(script).serve { port in
            let options = ["--endpoint", "127.0.0.1:\(port)", "--plaintext", "--output", "json", "--record", file]
            let running = try Program().start(["follow", name] + options)
            for await line in lines(of: running) where line.contains("\"event\":\"status\"") { tell.finish() }
            running.waitForEnd()
            #expect(running.process.terminationStatus == 0)
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"vehicle\":{"))
    }

    @Test("a trip that is named twice, by its name and by its id, is followed once")
    func namedTwice() async throws {
        let engine = ScriptedFleetEngine { _, call, _ in trip(call < 3 ? .new : .complete) }
        try await engine.serve { port in
            let twice = [name, "made-up-ride", "--provider", "demo"]
            let running = try Program().start(
                ["follow"] + twice + ["--endpoint", "127.0.0.1:\(port)", "--plaintext", "--interval", "1", "--output", "json"])
            var told: [String] = []
            for await line in lines(of: running) where line.contains("\"event\":\"status\"") { told.append(line) }
            #expect(told.count == 2, "\(told)")
        }
        #expect(engine.callCount == 3)
    }

    @Test("a frame of a trip waits for its server longer than five attempts take")
    func patientFrame() async throws {
        let engine = ScriptedFleetEngine { _, call, _ in
            if call <= 6 { throw RPCError(code: .unavailable, message: "made up") }
            return trip(.new)
        }
        try await engine.serve { port in
            let outcome = try Program().run(
                ["follow", name, "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--dump", "--size", "80x24"])
            #expect(outcome.status == 0 && outcome.lines.contains { $0.contains("Looking for a car") }, "\(outcome.errors)")
        }
        #expect(engine.callCount == 7)
    }

    @Test("on a trip without a car, the next answer after a failed call ends the offline state")
    func blip() async throws {
        let engine = ScriptedFleetEngine { _, call, _ in
            if call == 2 { throw RPCError(code: .unavailable, message: "made up") }
            return trip(.new)
        }
        #expect(try await freshness(of: engine, count: 3).states == [nil, "offline", nil])
    }

    @Test("the first answer after a failed first call ends the offline state")
    func firstFailure() async throws {
        let engine = ScriptedFleetEngine { _, call, _ in
            if call == 1 { throw RPCError(code: .unavailable, message: "made up") }
            return trip(.new)
        }
        #expect(try await freshness(of: engine, count: 2).states == ["offline", nil])
    }

    @Test("if a car is taken off the trip, its position and arrival are removed")
    func gone() async throws {
        let engine = ScriptedFleetEngine { _, call, _ in
            call < 3 ? trip(.enrouteToPickup, vehicle: "car-1", hasPosition: true, arrivesIn: 300) : trip(.new)
        }
        let told = try await freshness(of: engine, count: 2)
        #expect(told.states == ["live", nil])
        #expect(told.all.contains { $0.contains(#""event":"vehicle","vehicle":null"#) })
    }

    @Test("another car that has never reported is not live")
    func exchanged() async throws {
        let engine = ScriptedFleetEngine { _, call, _ in
            trip(.enrouteToPickup, vehicle: call < 3 ? "car-1" : "car-2", hasPosition: call < 3, arrivesIn: 300)
        }
        #expect(try await freshness(of: engine, count: 2).states == ["live", nil])
    }

    @Test("a pickup that the provider moves is reported", arguments: ["", "1"])
    func movedPickup(accessible: String) async throws {
        let engine = ScriptedFleetEngine { _, call, _ in
            var answer = trip(.new)
            answer.pickupPoint.point.latitude = call < 3 ? -36 : -36.001
            answer.pickupPoint.point.longitude = -20
            return answer
        }
        try await engine.serve { port in
            let running = try Program().start(
                ["follow", name, "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--interval", "1", "--output", "plain"],
                setting: ["ACCESSIBLE": accessible])
            defer { running.stop() }
            let words = accessible.isEmpty ? "pickup      changed" : "The pickup has changed."
            for await line in lines(of: running) where line.hasSuffix(words) { return }
            Issue.record("the program ended without saying so")
        }
    }

    @Test("an arrival that the server removes is null")
    func withdrawn() async throws {
        let engine = ScriptedFleetEngine { _, call, _ in
            trip(.enrouteToPickup, vehicle: "car-1", hasPosition: true, arrivesIn: call < 3 ? 300 : nil)
        }
        try await engine.serve { port in
            let running = try Program().start(
                ["follow", name, "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--interval", "1", "--output", "json"])
            defer { running.stop() }
            for await line in lines(of: running) where line.contains(#""event":"eta""#) {
                if line.contains(#""eta":null,"remaining_s":null,"remaining_m":null"#) { return }
            }
            Issue.record("the program ended without saying so")
        }
    }

    @Test("a new trip with a car states its arrival, in lines and in sentences", arguments: ["", "1"])
    func newWithCar(accessible: String) async throws {
        let engine = ScriptedFleetEngine { _, _, _ in trip(.new, vehicle: "car-1", arrivesIn: 350) }
        try await engine.serve { port in
            let running = try Program().start(
                ["follow", name, "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--output", "plain"], setting: ["ACCESSIBLE": accessible]
            )
            defer { running.stop() }
            let first = try #require(await lines(of: running).first { _ in true })
            #expect(accessible.isEmpty ? first.contains("assigned    car-1, pickup ") : first.contains("Arrival in "), "\(first)")
        }
    }
}
