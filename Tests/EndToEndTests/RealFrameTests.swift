import Foundation
import Testing

@testable import ProgramHarness

private enum RealMaps {
    static let folder = Program.package.path + "/../shared/data/map/tiles/"
    static let arePresent = FileManager.default.fileExists(atPath: folder + "sf_downtown.mbtiles")
}

/// Compares frames of four real cities with each painter, in dark and light themes, with 256 colours and with direct colours. Only
/// fingerprints of the frames are compared, because the maps are not part of the project.
///
/// `RECORD_SNAPSHOTS=1` records new fingerprints, and writes the frames into a temporary folder, for viewing with `cat`. Slow
/// builds draw each city and painter with only one of the four combinations of theme and colours, in turn.
@Suite("Frames of real cities", .enabled(if: RealMaps.arePresent), .timeLimit(.minutes(4)))
struct RealFrameTests {
    private static let file = Program.package.path + "/Tests/EndToEndTests/Fixtures/cities.txt"
    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

    /// The cities: the name, the map file, and the place and zoom of the frame.
    private static let cities = [
        ("san-francisco", "sf_downtown.mbtiles", "37.785,-122.4,13"), ("monaco", "monaco.mbtiles", "43.737,7.424,14"),
        ("paris", "omt_paris_ruhr.pmtiles", "48.8783,2.345,14"),
        ("berlin", "shortbread_berlin_neukoelln_14-8803-5376.pbf", "52.479,13.437,14.5"),
    ]

    private static let painters = ["braille", "sextant", "half", "ascii"]
    private static let looks = ["harbour-dark", "harbour-light"].flatMap { theme in ["256", "direct"].map { (theme: theme, colors: $0) } }

    #if DEBUG || UNOPTIMIZED
        private static let isOptimized = false
    #else
        private static let isOptimized = true
    #endif

    @Test("four cities by four painters, dark and light, in 256 and direct colours, look as in the recorded frames")
    func frames() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/tripwatch-cities"
        if Self.isRecording { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
        var lines: [String] = []
        for (number, (city, map, place)) in Self.cities.enumerated() {
            for (turn, painter) in Self.painters.enumerated() {
                for (index, look) in Self.looks.enumerated()
                where Self.isOptimized || Self.isRecording || index == (number + turn) % Self.looks.count {
                    let outcome = try Program().run([
                        "map", place, "--basemap", RealMaps.folder + map, "--dump", "--format", "ansi", "--size", "100x30", "--painter",
                        painter, "--theme", look.theme, "--colors", look.colors,
                    ])
                    let name = "\(city)-\(painter)-\(look.theme)-\(look.colors)"
                    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(name): \(outcome.errors)")
                    let frame = outcome.lines.joined(separator: "\n")
                    lines.append("\(name) \(Self.fingerprint(frame))")
                    if Self.isRecording { try Data(frame.utf8).write(to: URL(filePath: "\(folder)/\(name).ansi")) }
                }
            }
        }
        #expect(Set(lines.map { $0.split(separator: " ").last }).count == lines.count && lines.count >= 16, "two of them are alike")
        guard !Self.isRecording else {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: Self.file))
            Issue.record("recorded; the frames are in \(folder)")
            return
        }
        let known = try String(contentsOfFile: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.filter { !known.contains($0) } == [], "look at them with RECORD_SNAPSHOTS=1")
    }

    /// Returns the 64-bit FNV-1a hash of a text.
    private static func fingerprint(_ text: String) -> String {
        String(text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }, radix: 16)
    }
}
