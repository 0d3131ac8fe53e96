import FleetEngine
import FoundationEssentials
import Testing

@testable import TripWatchWords

@Suite("The findings of doctor")
struct FindingTests {
    @Test("each finding has a line and an object, and no text from outside affects the terminal")
    func forms() {
        let finding = Finding(.warn, "map", "it says \u{1b}[2Jhello\u{202e}.", advice: "Do this.")
        #expect(finding.line.hasPrefix("warn  map: it says ") && finding.line.hasSuffix(". Do this."))
        #expect(!finding.line.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202e}" })
        #expect(
            Finding.json([Finding(.ok, "a", "b."), Finding(.fail, "c", "d.", advice: "e.")])
                == #"[{"check":"a","result":"ok","message":"b.","advice":null},{"check":"c","result":"fail","message":"d.","advice":"e."}]"#
        )
        #expect(Finding.json([]) == "[]")
    }

    @Test("on a terminal, a finding wraps at spaces, and its further lines are indented", arguments: [24, 40, 80, 200])
    func broken(columns: Int) {
        let finding = Finding(.warn, "map", "it says that there is nothing at all where it should be", advice: "Do this, or that.")
        let lines = finding.lines(columns: columns)
        #expect(lines.allSatisfy { $0.count < columns })
        #expect(lines[0].hasPrefix("warn  map: "))
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("      ") && $0.dropFirst(6).first != " " })
        #expect(([lines[0]] + lines.dropFirst().map { String($0.dropFirst(6)) }).joined(separator: " ") == finding.line)
        #expect(finding.lines(columns: nil) == [finding.line] && finding.lines(columns: 12) == [finding.line])
    }

    @Test(
        "clocks: up to a minute is fine, more is a warning, ten minutes fail",
        arguments: [(0.0, "ok"), (59, "ok"), (-61, "warn"), (600, "fail"), (-1e18, "fail"), (.nan, "ok")])
    func clock(offset: Double, result: String) {
        #expect(Finding.clock(offset: offset, wasHeard: true).result.rawValue == result)
        #expect(
            Finding.clock(offset: nil, wasHeard: true).message
                == "not checked: this server reports its time only while a trip is under way; run 'tripwatch doctor TRIP' during a trip.")
        #expect(
            Finding.clock(offset: nil, wasHeard: true, hasTrip: true).message
                == "not checked: this server reports its time only while a trip is under way; run this command again during a trip.")
        #expect(Finding.clock(offset: nil, wasHeard: false).message == "not checked: the server did not answer.")
        #expect(Finding.clock(offset: 300, wasHeard: true).message == "5 min ahead of the server's clock.")
    }

    @Test("a network failure is the server's, a certificate failure is not; any answer shows that the server is there")
    func server() throws {
        func checks(_ failure: FleetEngineError?) throws -> [String] {
            let trip = try TripName(provider: "demo", trip: "t")
            return Finding.server("x:1", isTLS: true, failure: failure, trip: trip, milliseconds: 1).map {
                "\($0.check) \($0.result.rawValue)"
            }
        }
        #expect(try checks(nil) == ["server ok", "tls ok", "trip ok"])
        #expect(try checks(FleetEngineError(code: .unavailable, message: "refused", origin: .network)) == ["server fail"])
        #expect(try checks(FleetEngineError(code: .unavailable, message: "expired", origin: .tls)) == ["server ok", "tls fail"])
        #expect(try checks(FleetEngineError(code: .permissionDenied, message: "no")) == ["server ok", "tls ok", "trip fail"])
    }

    @Test(
        "a certificate that expires in less than 14 days, or has less than a third of its lifetime left, is a warning",
        arguments: [(13.9, "warn"), (14.1, "ok")], [90, 6])
    func certificate(row: (days: Double, result: String), lifetime: Int) throws {
        let end = 1_935_756_120
        // For a certificate that is valid for six days, the warning begins two days before its end.
        let left = lifetime == 90 ? row.days : row.days / 7
        let now = Date(timeIntervalSince1970: Double(end) - left * 86_400)
        let certificate = Finding.Certificate(from: end - lifetime * 86_400, to: end, now: now)
        let findings = Finding.server("x:1", isTLS: true, certificate: certificate, failure: nil, trip: nil, milliseconds: 1)
        let tls = try #require(findings.first { $0.check == "tls" })
        #expect(tls.result.rawValue == row.result && tls.message.hasSuffix(" expires on 2031-05-05."), "\(tls.line)")
        #expect(tls.advice == (row.result == "warn" ? "Ask the server's operator to renew it." : nil))
    }

    @Test("the instruction is only in the advice, and is not repeated in the message")
    func advice() throws {
        let trip = try TripName(provider: "demo", trip: "t")
        for (failure, check, words) in [
            (FleetEngineError(code: .notFound, message: "no trip"), "trip", "tripwatch list"),
            (FleetEngineError(code: .unavailable, message: "expired", origin: .tls), "tls", "--ca"),
            (FleetEngineError(code: .unavailable, message: "refused", origin: .network), "server", "--endpoint"),
        ] {
            let findings = Finding.server("x:1", isTLS: true, failure: failure, trip: trip, milliseconds: 1)
            let finding = try #require(findings.first { $0.check == check })
            #expect(finding.advice?.contains(words) == true && !finding.message.contains(words), "\(finding.line)")
        }
    }

    @Test("if no server answers on this machine, the advice is to start one", arguments: [true, false])
    func noLocalServer(isOnThisMachine: Bool) {
        let failure = FleetEngineError(code: .unavailable, message: "refused", origin: .network)
        let findings = Finding.server(
            "x:1", isOnThisMachine: isOnThisMachine, isTLS: false, failure: failure, trip: nil, milliseconds: 1)
        #expect(findings.map { $0.advice?.contains("'tripwatch serve'") } == [isOnThisMachine])
    }

    @Test("ambiguous characters of two columns are reported")
    func width() {
        #expect(Finding.ambiguousWidth(1).result == .ok)
        #expect(Finding.ambiguousWidth(2).result == .warn)
        #expect(Finding.ambiguousWidth(nil).result == .ok)
    }
}
