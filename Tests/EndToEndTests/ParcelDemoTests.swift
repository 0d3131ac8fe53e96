import Foundation
import Testing

@testable import ProgramHarness

@Suite("The demo's parcel", .timeLimit(.minutes(3)))
struct ParcelDemoTests {
    @Test("the stop count and the window are shared from the start, the position from the fifth-last stop on, and the parcel is delivered")
    func json() throws {
        let outcome = try Program().run(["demo", "--parcel", "--seed", "4", "--output", "json", "--speed", "50"])
        let lines = outcome.lines
        #expect(outcome.status == 0 && lines.allSatisfy { $0.contains(#""tracking":"providers/demo/"#) }, "\(outcome.errors)")
        let shared = lines.filter { $0.contains(#""event":"shared""#) }
        #expect(shared.first?.contains(#""location":false"#) == true, "\(shared)")
        #expect(shared.first?.contains(#""stops":true,"interval_s":30"#) == true, "\(shared)")
        #expect(lines.contains { $0.contains(#""event":"window","start":"2"#) }, "\(lines)")
        let untilShared = lines.prefix { !$0.contains(#""event":"shared","location":true"#) }
        #expect(untilShared.count < lines.count && !untilShared.contains { $0.contains(#""event":"location""#) }, "\(untilShared)")
        let counts = lines.compactMap { line in line.firstMatch(of: #/"stops_before":(\d+)/#).map { String($0.output.1) } }
        #expect(counts == ["5", "4", "3", "2", "1", "0"])
        #expect(lines.contains { $0.contains(#""event":"eta","eta":"2"#) }, "\(lines)")
        #expect(lines.last?.contains(#""event":"end""#) == true && lines.last?.contains(#""outcome":"SUCCEEDED""#) == true)
    }

    @Test("in a pipe it ends with a line about the delivery, and so does its recording")
    func plain() throws {
        let folder = try Folder()
        let file = folder.path + "/parcel.trip"
        let told = try Program().run(["demo", "--parcel", "--speed", "100", "--record", file])
        #expect(told.status == 0 && told.lines.last?.dropFirst(9).hasPrefix("done ") == true, "\(told.lines) \(told.errors)")
        #expect(told.lines.contains { $0.contains("2 stops before yours") }, "\(told.lines)")
        let played = try Program().run(["replay", file, "--output", "plain", "--speed", "1000000"])
        #expect(played.status == 0 && played.lines.last?.dropFirst(9) == told.lines.last?.dropFirst(9), "\(played.lines) \(played.errors)")
    }

    @Test("on a terminal its page is in the invented town, waits 30 s by the demo's clock, and ends as delivered")
    func screen() throws {
        let demo = try ProgramOnTerminal(["demo", "--parcel", "--seed", "4", "--speed", "20"], columns: 100, rows: 30)
        try demo.wait(for: "Parcel to General Hospital")
        try demo.wait(for: "5 stops before yours")
        try demo.wait(for: "checked every 30 s")
        try demo.wait(for: "the van on its way") { $0.contains("4 stops before yours") && $0.contains("ARRIVES IN") }
        try demo.wait(for: "invented town")
        demo.press("q")
        #expect(try demo.end() == 0)
        let whole = try ProgramOnTerminal(["demo", "--parcel", "--speed", "100"], columns: 100, rows: 30)
        try whole.wait(for: "DONE")
        whole.press("q")
        #expect(try whole.end() == 0)
    }

    @Test("a demo has an order or a parcel, not both")
    func both() throws {
        let refused = try Program().run(["demo", "--order", "--parcel"])
        #expect(refused.status == 64 && refused.errors.contains("--order and --parcel cannot be combined"), "\(refused.errors)")
    }
}
