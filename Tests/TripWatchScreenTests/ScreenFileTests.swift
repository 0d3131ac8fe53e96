import FoundationEssentials
import Testing
import TripTesting

/// Plays every page in Tests/ScreenTests. If the environment variable `RECORD_SNAPSHOTS` is 1, the test writes new files instead. It then
/// fails, because it has compared nothing.
@Suite("Screens")
struct ScreenFileTests {
    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

    @Test("every page looks the same as when it was last recorded", arguments: ScreenFile.names)
    func page(name: String) throws {
        let file = try ScreenFile(name)
        let (screen, effects) = try #require(file.play(), "\(name) asks for a scenario that is not there")
        if let wanted = file.fields["effects"] { #expect(effects == wanted) }
        if Self.isRecording {
            try file.record(screen)
            Issue.record("\(name) was recorded")
        } else if let difference = ScreenComparison.difference(from: file.expected, to: screen) {
            Issue.record("\(name) is another page now:\n\(difference)")
        }
    }

    @Test("there are pages to play")
    func isThere() { #expect(ScreenFile.names.count >= 30) }
}
