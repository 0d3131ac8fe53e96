import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("The list of trips, in the program", SharedEngine(), .timeLimit(.minutes(3)))
struct ListScreenTests {
    @Test("a trip that is added is kept like the others, even beside one that is recorded into a file")
    func added() throws {
        try withStateFolder { folder, setting in
            try SharedEngine.with { grpc, http in
                let program = Program()
                let provider = ["--provider-url", "http://\(http)"]
                func book() throws -> String {
                    let places = ["--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060"]
                    return try #require(try program.run(["book"] + provider + places).lines.first)
                }
                let (first, second) = (try book(), try book())
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let file = folder.appending(path: "own.trip").path
                let options = ["--endpoint", grpc, "--plaintext", "--interval", "1", "--record", file]
                let follow = try ProgramOnTerminal(["follow", first] + options, setting: setting)
                try follow.wait(for: "LOOKING FOR A CAR")
                follow.press("La\(second)\r")
                try follow.wait(for: "2 trips")
                _ = try program.run(["cancel", second] + provider)
                try follow.wait(for: "cancelled")
                follow.press("\r")
                try follow.wait(for: "k keep")
                follow.press("k")
                try follow.wait(for: "Kept in ")
                follow.press("q")
                #expect(try follow.end() == 0)
                let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/rides/kept")
                #expect(kept.count == 1)
                let replayed = try program.run(["replay", folder.path + "/rides/kept/" + (kept.first ?? ""), "--output", "json"])
                #expect(replayed.lines.last?.contains("\"CANCELED\"") == true && replayed.lines.allSatisfy { $0.contains(second) })
                #expect(try String(contentsOfFile: file, encoding: .utf8).contains(first))
            }
        }
    }

    @Test("L lists the trips, a adds one and follows it, D removes one, Enter opens one")
    func list() throws {
        try SharedEngine.with { grpc, http in
            let program = Program()
            let provider = ["--provider-url", "http://\(http)"]
            func book() throws -> String {
                let places = ["--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060"]
                return try #require(try program.run(["book"] + provider + places).lines.first)
            }
            let (first, second) = (try book(), try book())
            let follow = try ProgramOnTerminal(["follow", first, "--endpoint", grpc, "--plaintext", "--interval", "1"])
            try follow.wait(for: "LOOKING FOR A CAR")
            follow.press("L")
            try follow.wait(for: "1 trip ")
            follow.press("anot a trip/\r")
            try follow.wait(for: "Not added: ")
            follow.press("\u{15}")
            follow.terminal.send("\u{1b}[200~\(second)\u{1b}[201~")
            follow.press("\r")
            try follow.wait(for: "2 trips")
            try follow.wait(for: "two that look for a car") { text in
                text.split(separator: "\n").count { $0.contains("-33.866, 151.206") && $0.contains("no car yet") } == 2
            }
            _ = try program.run(["cancel", second] + provider)
            try follow.wait(for: "cancelled")
            follow.press("D")
            try follow.wait(for: "is no longer being watched")
            try follow.wait(for: "1 trip ")
            follow.press("D")
            try follow.wait(for: "This is the only trip; press q to quit.")
            follow.press("\r")
            try follow.wait(for: "LOOKING FOR A CAR")
            follow.press("q")
            #expect(try follow.end() == 0)
            #expect(try program.run(["status", first, "--endpoint", grpc, "--plaintext"]).lines == ["◦ looking for a car"])
        }
    }

    @Test("after D the server is no longer asked for the trip, whether its ride is recorded or not", arguments: ["20", "0"])
    func letGo(keptRides: String) throws {
        try withStateFolder { _, setting in
            let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0", "--log", "-"])
            defer { server.stop() }
            let addresses = try #require(server.line()).split(whereSeparator: { $0 == " " || $0 == "=" }).filter { $0.contains(":") }
            let (grpc, http) = (try #require(addresses.first.map(String.init)), try #require(addresses.last.map(String.init)))
            let log = LineWatch(server.errors)
            func book() throws -> String {
                let places = ["--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060"]
                return try #require(try Program().run(["book", "--provider-url", "http://\(http)"] + places).lines.first)
            }
            let trips = [try book(), try book()]
            let options = ["--endpoint", grpc, "--plaintext", "--interval", "1"]
            let own = setting.merging(["TRIPWATCH_KEEP_RIDES": keptRides]) { $1 }
            let follow = try ProgramOnTerminal(["follow"] + trips + options, setting: own)
            try follow.wait(for: "LOOKING FOR A CAR")
            follow.press("L")
            try follow.wait(for: "2 trips")
            /// Returns the number of calls for each trip among the next `count` calls after a line of the log.
            func calls(_ count: Int, after start: Int) -> [Int] {
                var last = start
                for _ in 0..<count {
                    guard log.line(with: "rpc=GetTrip", after: last) != nil else { break }
                    last += log.all.dropFirst(last).firstIndex { $0.contains("rpc=GetTrip") }.map { $0 - last + 1 } ?? 0
                }
                return trips.map { trip in
                    log.all.dropFirst(start).prefix(last - start).count { $0.contains("rpc=GetTrip") && $0.contains(trip) }
                }
            }
            #expect(calls(6, after: log.all.count).allSatisfy { $0 >= 2 })
            follow.press("D")
            try follow.wait(for: "is no longer being watched")
            // One call may still have been in flight.
            let after = calls(5, after: log.all.count).sorted()
            #expect((after.first ?? 5) <= 1 && (after.last ?? 0) >= 4, "\(after)")
            follow.press("q")
            #expect(try follow.end() == 0)
        }
    }
}
