import Foundation
import Glibc
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("The driver's screen, against a server of this machine", .timeLimit(.minutes(5)))
struct DriveScreenTests {
    /// A straight route to the north, 6.7 km long.
    private static let way = "-36.0000,-20.0000;-35.9400,-20.0000"
    private let pickup = "-35.9990,-20.0000"
    private let dropoff = "-35.9970,-20.0000"

    private func drive(_ server: LocalServer, columns: Int = 80, rows: Int = 24, _ more: String...) throws -> ProgramOnTerminal {
        try ProgramOnTerminal(
            ["drive", "--vehicle", "car-1", "--simulate", "--create", "--route", Self.way, "--speed", "\(server.speed)"] + more
                + server.connection,
            columns: columns, rows: rows)
    }

    @Test("for a car without a position the screen says what is missing, at any size")
    func nowhere() throws {
        let server = try LocalServer(speed: 1)
        defer { server.stop() }
        for (columns, rows) in [(80, 24), (40, 15), (30, 8)] {
            let options = ["drive", "--vehicle", "new-\(columns)", "--simulate", "--create"] + server.connection
            let car = try ProgramOnTerminal(options, columns: columns, rows: rows)
            try car.wait(for: "what it lacks") { text in
                let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                return words.contains("has no position yet") && words.contains("--route")
            }
            car.press("q")
            #expect(try car.end() == 0)
        }
    }

    private func state(_ server: LocalServer) throws -> String {
        try ask("vehicle/car-1", server)
    }

    /// Returns the answer of the provider API to a GET request.
    private func ask(_ path: String, _ server: LocalServer) throws -> String {
        let connection = try TCPConnection(port: try #require(server.desk.split(separator: ":").last.flatMap { Int($0) }))
        connection.send("GET /\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return connection.read()
    }

    /// Whether the provider API's answer about the car contains this word within a minute.
    private func becomes(_ word: String, _ server: LocalServer) throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline { if try state(server).contains(word) { return true } }
        return false
    }

    private func status(_ trip: String, _ server: LocalServer) throws -> String {
        let id = trip.split(separator: "/").last.map(String.init) ?? ""
        return try ask("trip/\(id)", server)
    }

    /// Whether the provider API's answer about the trip contains this word within a minute.
    private func becomes(_ word: String, _ trip: String, _ server: LocalServer) throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline { if try status(trip, server).contains(word) { return true } }
        return false
    }

    private func end(_ car: ProgramOnTerminal, _ server: LocalServer) throws {
        car.press("\u{3}")
        #expect(try car.end() == 0)
        #expect(car.terminal.settings == car.settings)
        #expect(car.terminal.virtual.modes.subtracting([12]) == [7, 25])
        #expect(car.terminal.virtual.unknown.isEmpty, "\(car.terminal.virtual.unknown)")
        #expect(try state(server).contains("OFFLINE"))
    }

    @Test("a ride by keys: accept, arrived, go on, arrived; the rider sees each step, and q leaves everything in order")
    func ride() throws {
        let server = try LocalServer(speed: 5)
        defer { server.stop() }
        let car = try drive(server)
        try car.wait(for: "WAITING FOR A TRIP")
        try car.wait(for: "online ∙ ")
        let trip = try #require(try server.book(from: pickup, to: dropoff))
        try car.wait(for: "NEW TRIP")
        try car.wait(for: "a accept")
        #expect(try status(trip, server).contains("\"NEW\""))
        car.press("n")
        try car.wait(for: "There is no trip.")
        car.press("a")
        try car.wait(for: "PICKUP")
        try car.wait(for: "YOU ARE AT THE PICKUP")
        #expect(try status(trip, server).contains("ENROUTE_TO_PICKUP"))
        car.press("v")
        try car.wait(for: "WAITING FOR THE RIDER")
        #expect(try status(trip, server).contains("ARRIVED_AT_PICKUP"))
        car.press("n")
        try car.wait(for: "Rider on board")
        try car.wait(for: "YOU ARE AT THE DROP-OFF")
        #expect(try status(trip, server).contains("ENROUTE_TO_DROPOFF"))
        car.press("v")
        try car.wait(for: "1 trip done")
        #expect(try status(trip, server).contains("COMPLETE"))
        try end(car, server)
    }

    @Test("on a terminal that is too small for the screen, the named keys accept a trip and report the arrival, and q asks")
    func tooSmall() throws {
        let server = try LocalServer(speed: 5)
        defer { server.stop() }
        let car = try drive(server, columns: 15, rows: 5)
        try car.wait(for: "for a trip")
        let trip = try #require(try server.book(from: pickup, to: dropoff))
        try car.wait(for: "a accept")
        car.press("a")
        try car.wait(for: "v: arrived")
        #expect(try becomes("ENROUTE_TO_PICKUP", trip, server))
        car.press("v")
        try car.wait(for: "the wait at the pickup") { !$0.contains("v: arrived") }
        #expect(try becomes("ARRIVED_AT_PICKUP", trip, server))
        car.press("q")
        try car.wait(for: "q: end shift")
        car.press("q")
        #expect(try car.end() == 0)
    }

    @Test("an offer that the rider withdraws is reported on the screen, and the car waits for the next one")
    func withdrawn() throws {
        let server = try LocalServer(speed: 5)
        defer { server.stop() }
        let car = try drive(server)
        try car.wait(for: "online ∙ ")
        let trip = try #require(try server.book(from: pickup, to: dropoff))
        try car.wait(for: "NEW TRIP")
        #expect(try server.cancel(trip).contains("CANCELED"))
        try car.wait(for: "The trip was withdrawn before it began")
        try car.wait(for: "WAITING FOR A TRIP")
        try end(car, server)
    }

    @Test("a declined trip goes to another car, and is not offered to this car again")
    func decline() throws {
        let server = try LocalServer(speed: 5)
        defer { server.stop() }
        let car = try drive(server, "--provider-url", server.desk)
        try car.wait(for: "online ∙ ")
        let other = try server.program.start(
            ["drive", "--vehicle", "car-2", "--simulate", "--create", "--route", "-35.9500,-20.0000;-35.9400,-20.0000", "--speed", "5"]
                + server.connection)
        defer { other.stop() }
        let lines = LineWatch(other.output)
        #expect(lines.line(with: "online") != nil)
        let trip = try #require(try server.book(from: pickup, to: dropoff))
        try car.wait(for: "x decline")
        car.press("x")
        try car.wait(for: "Declined: the provider is looking for another car")
        #expect(lines.line(with: trip) != nil)
        try car.wait(for: "WAITING FOR A TRIP")
        try end(car, server)
    }

    @Test("with the roads of a map, the screen shows the next manoeuvre and the name of the street after it")
    func steps() throws {
        let server = try LocalServer(speed: 2)
        defer { server.stop() }
        try RESTCalls(server.desk).put("car-1", at: (-36, -20))
        let options = ["drive", "--vehicle", "car-1", "--simulate", "--auto", "--router", "map", "--basemap", "town", "--speed", "2"]
        let car = try ProgramOnTerminal(options + server.connection, columns: 100, rows: 30)
        try car.wait(for: "online ∙ ")
        _ = try #require(try server.book(from: "-36.01,-19.985", to: "-36.012,-19.98"))
        try car.wait(for: "a manoeuvre and its street") { text in
            text.contains(#/in [0-9.]+ k?m (half |sharp )?(left|right|straight on)/#) && text.contains(#/into \p{Lu}/#)
        }
        try end(car, server)
    }

    @Test("without a provider declining is not possible, and the screen says why")
    func noProvider() throws {
        let server = try LocalServer(speed: 5)
        defer { server.stop() }
        let car = try drive(server)
        try car.wait(for: "online ∙ ")
        _ = try server.book(from: pickup, to: dropoff)
        try car.wait(for: "a accept")
        #expect(!car.text.contains("x decline"))
        car.press("x")
        try car.wait(for: "in the configuration, to decline trips.")
        try end(car, server)
    }

    @Test("with --auto the ride needs no keys, and the screen shows it")
    func automatic() throws {
        let server = try LocalServer(speed: 20)
        defer { server.stop() }
        let car = try drive(server, "--auto", "--dwell", "5")
        try car.wait(for: "online ∙ ")
        let trip = try #require(try server.book(from: pickup, to: dropoff))
        try car.wait(for: "1 trip done")
        #expect(try status(trip, server).contains("COMPLETE"))
        try end(car, server)
    }

    @Test("if the server is killed during a ride, the screen says so, and also when it returns")
    func outage() throws {
        var server = try LocalServer(speed: 5, restarts: true)
        defer { server.stop() }
        let car = try drive(server)
        try car.wait(for: "last report")
        server.stop()
        try car.wait(for: "no report ∙ ")
        try car.wait(for: "Riders still see the car where it was at")
        try server.restart()
        try car.wait(for: "online ∙ ")
        try car.wait(for: "Reports accepted again after")
        car.press("e")
        try car.wait(for: "EVENTS")
        car.press("\u{1b}")
        try car.wait(for: "the closed list") { !$0.contains("EVENTS") }
        try end(car, server)
    }

    @Test("a trip that is left unfinished is named, and for a new car without a position the screen says why no trip comes")
    func left() throws {
        let server = try LocalServer(speed: 5)
        defer { server.stop() }
        let car = try drive(server, columns: 160, "--auto")
        try car.wait(for: "online ∙ ")
        let trip = try #require(try server.book(from: pickup, to: dropoff))
        try car.wait(for: "PICKUP")
        car.press("q")
        try car.wait(for: "A trip is under way. Press q again to end the shift.")
        car.press("q")
        try car.wait(for: "has not ended and is still assigned to car-1")
        #expect(try car.end() == 0)
        #expect(car.text.replacing("\n", with: "").contains(trip))
        let other = try server.program.start(["drive", "--vehicle", "car-2", "--simulate", "--create"] + server.connection)
        defer { other.stop() }
        #expect(other.errorLine()?.contains("car-2 has no position yet") == true)
    }

    @Test("a trip that the provider cancels is reported as cancelled, not as unfinished")
    func canceled() throws {
        let server = try LocalServer(speed: 5)
        defer { server.stop() }
        let car = try drive(server, columns: 120, "--auto")
        try car.wait(for: "online ∙ ")
        let trip = try #require(try server.book(from: pickup, to: dropoff))
        try car.wait(for: "PICKUP")
        #expect(try server.cancel(trip).contains("CANCELED"))
        try car.wait(for: "The rider or the provider cancelled the trip")
        try car.wait(for: "WAITING FOR A TRIP")
        car.press("q")
        #expect(try car.end() == 0)
        #expect(!car.text.contains("has not ended"))
    }

    @Test(
        "if a shift ends while the server is down, the message says that the server was not informed, also if no report was ever sent",
        arguments: [true, false])
    func untold(hasReported: Bool) throws {
        let server = try LocalServer(speed: 5)
        if !hasReported { server.stop() }
        let car = try drive(server)
        try car.wait(for: hasReported ? "last report" : "connection refused")
        if hasReported { server.stop() }
        car.press("q")
        try car.wait(for: "the server does not know that car-1 is offline")
        #expect(try car.end() == 0)
    }

    @Test("HUP that arrives twice, as from a closed window, ends the shift as one signal: the car is offline then")
    func hungUp() throws {
        let server = try LocalServer(speed: 1)
        defer { server.stop() }
        let car = try drive(server)
        try car.wait(for: "online ∙ ")
        #expect(try server.plan(faults: #"[{"rpc":"UpdateVehicle","code":null,"delay_ms":500}]"#).contains("200 OK"))
        car.signal(SIGHUP)
        car.signal(SIGHUP)
        #expect(try car.end() == 128 + SIGHUP)
        #expect(try state(server).contains("OFFLINE"))
    }

    @Test("o takes the car offline, where it gets no trips, and back online")
    func offline() throws {
        let server = try LocalServer(speed: 5)
        defer { server.stop() }
        let car = try drive(server)
        try car.wait(for: "online ∙ ")
        car.press("o")
        try car.wait(for: "no reports sent")
        try car.wait(for: "OFFLINE")
        #expect(try becomes("OFFLINE", server))
        _ = try server.book(from: pickup, to: dropoff)
        car.press("o")
        try car.wait(for: "NEW TRIP")
        try end(car, server)
    }

    @Test("at every size the screen shows the next step, and follows a change of size", arguments: [(120, 40), (40, 15), (20, 3)])
    func sizes(columns: Int, rows: Int) throws {
        let server = try LocalServer(speed: 5)
        defer { server.stop() }
        let car = try drive(server, columns: columns, rows: rows)
        try car.wait(for: columns == 20 ? "Waiting" : "WAITING FOR A TRIP")
        try car.wait(for: "online")
        _ = try server.book(from: pickup, to: dropoff)
        try car.wait(for: columns == 20 ? "New trip" : "NEW TRIP")
        car.terminal.resize(columns: 80, rows: 24)
        try car.wait(for: "go offline")
        car.terminal.resize(columns: columns, rows: rows)
        try car.wait(for: "the smaller screen") { !$0.contains("go offline") || columns == 120 }
        try end(car, server)
    }

    @Test("without a screen, drive prints lines as before")
    func plain() throws {
        let server = try LocalServer(speed: 20)
        defer { server.stop() }
        let car = try drive(server, columns: 120, rows: 24, "--output", "plain", "--trips", "1", "--dwell", "5")
        try car.wait(for: " online")
        _ = try server.book(from: pickup, to: dropoff)
        try car.wait(for: "status      COMPLETE")
        #expect(try car.end() == 0)
    }
}
