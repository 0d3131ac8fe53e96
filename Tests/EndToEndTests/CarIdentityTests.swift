import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("The identity of the car, and the names of its stops", .timeLimit(.minutes(3)))
struct CarIdentityTests {
    private let identity = ["--plate", "KVX 204", "--color", "teal", "--model", "Fabia", "--driver", "Ada"]

    @Test("a rider sees the plate from drive --create, and the driver of an existing vehicle learns that it is unchanged")
    func drive() throws {
        let server = try LocalServer(speed: 20)
        defer { server.stop() }
        let car = try server.drive(["--create", "--route", "-36.0000,-20.0000;-35.9400,-20.0000"] + identity)
        defer { car.stop() }
        let driven = LineWatch(car.output)
        #expect(driven.line(with: " online") != nil, "\(driven.all)")
        let trip = try #require(try server.book(from: "-35.9900,-20.0000", to: "-35.9500,-20.0000"))
        let rider = try server.program.start(["follow", trip, "--interval", "1", "--output", "plain"] + server.connection)
        defer { rider.stop() }
        let lines = LineWatch(rider.output)
        #expect(lines.line(with: "KVX 204 teal Fabia") != nil, "\(lines.all)")
        let again = try server.program.start(
            ["drive", "--vehicle", "car-1", "--create", "--simulate", "--plate", "KVX 205"] + server.connection)
        defer { again.stop() }
        let told = LineWatch(again.errors)
        #expect(told.line(with: "car-1 already exists and keeps its plate, color, model and driver.") != nil, "\(told.all)")
    }

    @Test("phone sets the car's identity, even for an existing vehicle, and leaves the rest unchanged", .enabled(if: WebClient.path != nil))
    func phone() throws {
        let server = try LocalServer()
        defer { server.stop() }
        func call(_ more: [String]) throws -> Int32 {
            try server.program.run(["phone", "car-7", "--json", "--provider-url", server.desk] + more).status
        }
        #expect(try call(identity) == 0)
        #expect(try call(["--color", "red"]) == 0)
        let text = try WebClient.get("\(server.desk)/vehicle/car-7").body
        let body = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let attributes = try #require(body?["vehicleAttributes"] as? [[String: String]])
        let pairs = attributes.map { "\($0["key"] ?? "")=\($0["value"] ?? "")" }.sorted()
        #expect(pairs == ["color=red", "driver=Ada", "model=Fabia", "plate=KVX 204"])
    }

    @Test("during the ride too, a command that makes a single request shows the plate, although only the vehicle has it")
    func once() throws {
        let server = try LocalServer()
        defer { server.stop() }
        let calls = try RESTCalls(server.desk)
        try calls.book("t-1", from: (-36, -20), to: (-35.95, -20))
        _ = try calls.ask("PUT", "vehicles/t-1?updateMask=attributes", #"{"attributes":[{"key":"plate","value":"KVX 204"}]}"#)
        let trip = ["providers/demo/trips/t-1"] + server.connection
        let status = try server.program.run(["status", "--format", "{vehicle}"] + trip)
        #expect(status.lines == ["KVX 204"], "\(status.errors)")
        let frame = try server.program.run(["follow", "--dump", "--size", "120x40", "--basemap", "none"] + trip)
        #expect(frame.lines.contains { $0.hasSuffix("KVX 204") }, "\(frame.lines)")
    }

    @Test("book names the stops, and the screen and the list show these names")
    func stops() throws {
        let server = try LocalServer()
        defer { server.stop() }
        let way = ["--from", "-35.99,-20.0", "--via", "-35.97,-20.0", "--to", "-35.95,-20.0", "--provider-url", server.desk]
        let names = ["--from-name", "Platform 2", "--via-name", "Mill Lane", "--to-name", "Central Station"]
        let book = try ProgramOnTerminal(["book", "--follow", "--interval", "1"] + way + names + server.connection)
        try book.wait(for: "Ride to Central Station")
        try book.wait(for: "Mill Lane")
        book.press("q")
        #expect(try book.end() == 0)
        for (wrong, words) in [
            (["--via-name", "Quay"], "add a --via or remove a --via-name"), (["--to-name", ""], "--to-name must have 1 to 60 characters"),
        ] {
            let ends = ["book", "--from", "-35.99,-20.0", "--to", "-35.95,-20.0", "--provider-url", server.desk]
            let outcome = try server.program.run(ends + wrong)
            #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test(
        "book finds places by the base map's names, and names the stops after them; if there are several, it lists them and exits with 64")
    func byName() throws {
        let server = try LocalServer()
        defer { server.stop() }
        func book(_ from: String, _ more: [String] = ["--basemap", "town"]) throws -> Program.Outcome {
            try server.program.run(["book", "--from", from, "--to", "acacia avenue", "--provider-url", server.desk] + more)
        }
        let booked = try book("Minstergate Station")
        let trip = try #require(booked.lines.first, "\(booked.errors)")
        let told = try RESTCalls(server.desk).ask("GET", "trips/\(trip.split(separator: "/").last ?? "")")
        #expect(told.contains("Minstergate Station") && told.contains("Acacia Avenue"), "\(told)")
        let several = try book("station")
        #expect(several.status == 64 && several.lines.isEmpty, "\(several.lines)")
        let rows = several.errors.split(separator: "\n").dropFirst()
        #expect(several.errors.contains("--from: ") && several.errors.contains("places match 'station'"), "\(several.errors)")
        let row = try #require(rows.first { $0.hasSuffix("Minstergate Station") }, "\(several.errors)")
        let place = try #require(row.split(separator: " ").first.map(String.init))
        #expect(try book(place).status == 0, "\(place)")
        let unknown = try book("Nowhere at all")
        #expect(unknown.status == 1 && unknown.errors.contains("on the base map is called 'Nowhere at all'"), "\(unknown.errors)")
        let mapless = try book("Minstergate Station", ["--basemap", "none"])
        #expect(mapless.status == 64 && mapless.errors.contains("Set --basemap"), "\(mapless.errors)")
        #expect(try book("95,200").status == 64)
    }

    @Test("book finds every name that the map shows; a long list of places is cut, and says how to continue")
    func byAnyName() throws {
        let server = try LocalServer()
        defer { server.stop() }
        func book(_ from: String) throws -> Program.Outcome {
            try server.program.run(["book", "--from", from, "--to", "acacia avenue", "--provider-url", server.desk, "--basemap", "town"])
        }
        for name in ["Theatre", "Town Hall", "River Sallow", "Town Moat", "Old Market", "Minstergate Station"] {
            let booked = try book(name)
            let trip = try #require(booked.lines.first, "\(name): \(booked.errors)")
            let told = try RESTCalls(server.desk).ask("GET", "trips/\(trip.split(separator: "/").last ?? "")")
            #expect(told.contains(name), "\(told)")
        }
        let eleven = try book("mill").errors
        #expect(eleven.contains("11 places match 'mill'") && eleven.split(separator: "\n").count == 12, "\(eleven)")
        #expect(!eleven.contains(" more"), "\(eleven)")
        let many = try book("a").errors
        #expect(many.split(separator: "\n").count == 12 && many.contains(" more: give LAT,LNG or a longer name"), "\(many)")
    }

    @Test("names of stops that Fleet Engine would refuse are refused before a call")
    func tooLong() throws {
        let stops = (0..<5).flatMap { number in
            ["--via", "-35.9\(number),-20.0", "--via-name", String(repeating: "\(number)", count: 60)]
        }
        let outcome = try Program().run(
            ["book", "--from", "-35.99,-20.0", "--to", "-35.95,-20.0", "--provider-url", "http://127.0.0.1:9"] + stops)
        #expect(outcome.status == 64 && outcome.errors.contains("too long in total"), "\(outcome.errors)")
    }

    @Test(
        "a car can be described only by a command that creates one",
        arguments: [
            (["drive", "--vehicle", "car-1", "--simulate", "--plate", "KVX 204"], "add --create"),
            (["phone", "list", "--plate", "KVX 204"], "work only with 'phone CAR'"),
            (["phone", "car-7", "--plate", ""], "--plate must have 1 to 48 characters"),
            (["phone", "car-7", "--driver", String(repeating: "a", count: 49)], "--driver must have 1 to 48 characters"),
        ])
    func wrong(arguments: [String], words: String) throws {
        let outcome = try Program().run(arguments + ["--provider-url", "http://127.0.0.1:9"])
        #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    }
}
