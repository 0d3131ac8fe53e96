import FoundationEssentials
import Testing

/// Plays every page in Tests/ScreenTests. With `RECORD_SNAPSHOTS=1` in the environment the files are written anew instead, and the test fails so
/// that nobody takes that for a run of the tests.
@Suite("Screens")
struct ScreenFileTests {
    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

    @Test("every page looks as it did when somebody last looked at it", arguments: ScreenFile.names)
    func page(name: String) throws {
        let file = try ScreenFile(name)
        let (screen, effects) = try #require(file.play(), "\(name) asks for a scenario that is not there")
        if let wanted = file.fields["effects"] { #expect(effects == wanted) }
        if Self.isRecording {
            try file.record(screen)
            Issue.record("\(name) was recorded")
        } else if screen != Self.trimmed(file.expected) {
            Issue.record("\(name) is another page now:\n\(Self.differences(screen, file.expected))")
        }
    }

    @Test("there are pages to play")
    func isThere() { #expect(ScreenFile.names.count >= 30) }

    private static func trimmed(_ text: String) -> String {
        var text = text
        if text.hasSuffix("\n") { text.removeLast() }
        return text
    }

    /// The lines that differ, old and new.
    private static func differences(_ new: String, _ old: String) -> String {
        let (new, old) = (
            new.split(separator: "\n", omittingEmptySubsequences: false), old.split(separator: "\n", omittingEmptySubsequences: false)
        )
        return (0..<max(new.count, old.count)).compactMap { row in
            let (left, right) = (old.indices.contains(row) ? old[row] : "", new.indices.contains(row) ? new[row] : "")
            return left == right ? nil : "\(row) - \(left)\n\(row) + \(right)"
        }.joined(separator: "\n")
    }
}
