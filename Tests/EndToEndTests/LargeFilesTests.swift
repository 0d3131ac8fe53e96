import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

/// Opens files whose contents need far more memory than the files' size. The fuzzers' inputs are too small to test this.
@Suite("Files that would fill the memory", .timeLimit(.minutes(2)))
struct LargeFilesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let file: String
        let command: [String]
        /// A part of the message.
        let words: String
        var code: Int32 = 1
        var isPacked = false
        let text: @Sendable () -> String

        var testDescription: String { file }
    }

    /// The limit of a program's memory, in MiB.
    private static let limitMiB = 300

    private static let export = ["export", "--geojson"]
    private static let map = ["map", "--dump", "--size", "60x16", "--basemap", "none", "--overlay"]
    private static let header = #"{"tripwatch":"trip","version":1,"trip":"providers/p/trips/t","t":"2026-11-22T18:29:26Z","interval_s":5}"#

    private static func trip(_ members: String) -> String { header + "\n" + answer(members) }

    private static func answer(_ members: String) -> String {
        #"{"t":"2026-11-22T18:29:30Z","answer":{"tripStatus":"NEW",\#(members)}}"# + "\n"
    }

    /// Returns a recording of 1,500 answers of 8 KB, each with 500 stops without a place.
    private static func manyStops() -> String {
        let stops = repeated(#"{"tripId":"x"},"#, 499) + "{}"
        return header + "\n" + (1...1_500).map { answer(#""numberOfPassengers":\#($0),"remainingWaypoints":[\#(stops)]"#) }.joined()
    }

    /// Returns a recording of 120 MB of blank lines, and 600 answers of 13 KB with 500 stops each.
    private static func longAndFull() -> String {
        let stops = repeated(#"{"location":{"point":{}}},"#, 499)
        // The last stop differs, because a list of stops that equals the previous one is kept only once.
        let answers = (1...600).map { answer(#""remainingWaypoints":[\#(stops){"location":{"point":{"latitude":\#($0)e-3}}}]"#) }
        return header + "\n" + repeated(repeated(" ", 8_000_000) + "\n", 15) + answers.joined()
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static let rows: [Row] = [
        Row(file: "blank.trip", command: export, words: "has more than 250000 entries") { header + repeated("\n", 10_000_000) },
        Row(file: "blank.log", command: export, words: "the recording is empty") { repeated("\n", 10_000_000) },
        Row(file: "string.trip", command: export, words: "line 2 of the recording has an entry with more than 8388608 bytes") {
            trip(#""vehicleId":"\#(repeated("a", 9_000_000))""#)
        },
        Row(file: "brackets.trip", command: export, words: "line 2 of the recording has an entry with more than 450000 JSON values") {
            trip(#""remainingWaypoints":[\#(repeated("{},", 2_000_000)){}]"#)
        },
        Row(file: "brackets.log", command: export, words: "line 1 of the recording has an entry with more than 450000 JSON values") {
            #"[{"request":[\#(repeated("[],", 2_000_000))[]]}]"#
        },
        Row(file: "stops.trip", command: export, words: "", code: 0) { manyStops() },
        Row(file: "points.geojson", command: map, words: "has more than 2000000 JSON values") {
            #"{"type":"MultiPoint","coordinates":[\#(repeated("[1,1],", 2_000_000))[1,1]]}"#
        },
        Row(file: "features.geojson", command: map, words: "has more than 2000000 JSON values") {
            #"{"type":"FeatureCollection","features":[\#(repeated("{},", 3_000_000)){}]}"#
        },
        Row(file: "spaces.gpx", command: map, words: "it is larger than 64 MiB when unpacked", isPacked: true) {
            "<gpx>" + repeated(" ", 70_000_000) + "</gpx>"
        },
    ]

    @Test("a file beyond a limit is refused with the limit, other files are read, and the program stays small", arguments: rows)
    func read(row: Row) throws {
        let folder = NSTemporaryDirectory() + "large-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/" + row.file
        try Data(row.text().utf8).write(to: URL(filePath: path))
        if row.isPacked { try GzipCommand.pack(path) }
        let program = Program()
        let running = try program.start(row.command + [path], longestSeconds: 100)
        var peak = 0
        while !running.waitForEnd(until: .now() + 0.01) { peak = max(peak, running.peakMiB ?? 0) }
        let errors = String(decoding: running.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(running.process.terminationStatus == row.code, "\(errors)")
        #expect(row.words.isEmpty || errors.contains(row.words), "\(errors)")
        #expect(peak < Self.limitMiB || Program.isSanitized, "\(peak) MiB")
    }

    @Test("a recording that needs too much memory on the screen is refused before the screen opens; until then, a line says what is read")
    func replay() throws {
        let path = NSTemporaryDirectory() + "full-\(UUID().uuidString).trip"
        try Data(Self.longAndFull().utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let program = try ProgramOnTerminal(["replay", path], columns: 200)
        #expect(try program.end(seconds: 100) == 1)
        #expect(program.text.contains("the screen would need more than 150 MiB of memory for this recording."), "\(program.text)")
        #expect(program.terminal.visibleOutput.contains("tripwatch: reading \(path) …"))
        #expect(!program.text.contains("reading"), "\(program.text)")
    }
}
