import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("Vehicles on a map, in the program", .timeLimit(.minutes(3)))
struct FleetMapTests {
    private static let seed: String = {
        let cars = (1...6).map { number in
            let place = "{\"latitude\":\(-36 + 0.002 * Double(number % 3)),\"longitude\":\(-20 + 0.003 * Double(number))}"
            return "{\"name\":\"providers/demo/vehicles/car-\(number)\",\"vehicleState\":\"\(number == 4 ? "OFFLINE" : "ONLINE")\","
                + "\"supportedTripTypes\":[\"EXCLUSIVE\"],\"maximumCapacity\":4,\"vehicleType\":{\"category\":\"TAXI\"},"
                + "\"attributes\":[{\"key\":\"class\",\"value\":\"\(number % 2 == 0 ? "van" : "sedan")\"}],"
                + "\"lastLocation\":{\"location\":\(place)}}"
        }
        let trip = """
            {"name":"providers/demo/trips/ride","tripType":"EXCLUSIVE","numberOfPassengers":1,\
            "pickupPoint":{"point":{"latitude":-36,"longitude":-19.99}},"dropoffPoint":{"point":{"latitude":-36.01,"longitude":-19.95}}}
            """
        return "{\"version\":1,\"trips\":[\(trip)],\"vehicles\":[\(cars.joined(separator: ","))]}"
    }()

    private func withFleet(_ work: (LocalServer) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID().uuidString).json")
        try Data(Self.seed.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try LocalServer(options: ["--seed", file.path])
        defer { server.stop() }
        try work(server)
    }

    @Test("a frame shows the vehicles that a filter matches, or the named ones; an invalid filter gives a message")
    func frames() throws {
        try withFleet { server in
            let program = Program()
            func map(_ options: String...) throws -> Program.Outcome {
                try program.run(["map", "--dump", "--size", "80x24"] + options + ["--provider", "demo"] + server.connection)
            }
            func seen(_ outcome: Program.Outcome) -> [Int] {
                (1...6).filter { number in outcome.lines.contains { $0.contains("car-\(number)") } }
            }
            let all = try map("--fleet", "all")
            #expect(all.status == 0 && all.lines.count == 24 && seen(all) == [1, 2, 3, 4, 5, 6], "\(all.lines.joined(separator: "\n"))")
            #expect(seen(try map("--fleet", "attributes.class = \"van\"")) == [2, 4, 6])
            #expect(seen(try map("--vehicle", "car-3", "--vehicle", "car-5")) == [3, 5])
            // A map of a distant place shows no vehicle.
            #expect(seen(try map("--fleet", "all", "10,20,14")).isEmpty)
            let filter = try map("--fleet", "no filter ((")
            let refusal = "does not accept this request for vehicles; check --fleet and --vehicle (INVALID_ARGUMENT: filter"
            #expect(filter.status == 1 && filter.errors.contains(refusal), "\(filter.errors)")
            let missing = try map("--vehicle", "nobody")
            #expect(missing.status == 3 && missing.errors.contains("There is no such vehicle (NOT_FOUND"), "\(missing.errors)")
            for wrong in [["--fleet", "all"], ["--endpoint", "127.0.0.1:1"], ["--fleet", "all", "--vehicle", "v"]] {
                #expect(try program.run(["map", "--dump"] + wrong).status == 64)
            }
        }
    }

    @Test("the screen counts the vehicles, goes from one to the next, and says when the server is down")
    func screen() throws {
        try withFleet { server in
            let map = try ProgramOnTerminal(["map", "--fleet", "all", "--provider", "demo", "--interval", "1"] + server.connection)
            try map.wait(for: "6 vehicles, 5 online")
            map.press("n")
            try map.wait(for: "car-1 ∙ taxi ∙ online ∙ free ∙")
            server.stop()
            map.press("r")
            try map.wait(for: "; no connection")
            map.press("q")
            #expect(try map.end() == 0)
        }
    }

    @Test("a waiting rider sees free cars near the pickup, if requested, until a car is assigned")
    func nearby() throws {
        try withFleet { server in
            let trip = "providers/demo/trips/ride"
            let plain = try ProgramOnTerminal(["follow", trip, "--interval", "1"] + server.connection)
            let follow = try ProgramOnTerminal(["follow", trip, "--interval", "1", "--nearby"] + server.connection)
            try follow.wait(for: "free cars") { $0.contains("car-3") && !$0.contains("car-4") }
            try plain.wait(for: "LOOKING FOR A CAR")
            #expect(!plain.text.contains("car-3"))
            let assigned = try WebClient.get(
                "\(server.desk)/v1/\(trip)?updateMask=vehicleId", "-X", "PUT", "-H", "Content-Type: application/json",
                "-d", "{\"vehicleId\":\"car-2\"}")
            #expect(assigned.status == 200, "\(assigned)")
            try follow.wait(for: "only the own car") { !$0.contains("car-3") && $0.contains("ar assigned") }
            for screen in [plain, follow] {
                screen.press("q")
                #expect(try screen.end() == 0)
            }
        }
    }
}
