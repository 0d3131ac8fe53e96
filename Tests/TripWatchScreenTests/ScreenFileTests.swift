import FoundationEssentials
import Testing
import TripTesting

/// Plays every page in Tests/ScreenTests and compares the screen with the one in the page's file. If the environment variable
/// `RECORD_SNAPSHOTS` is 1, the test writes the new screen to the file instead. It then fails, because it has not compared the screens.
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
