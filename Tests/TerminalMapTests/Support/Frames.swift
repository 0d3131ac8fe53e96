import FoundationEssentials
import Testing

/// Compares drawn frames with files beside the tests. If `RECORD_SNAPSHOTS=1` is set in the environment, the files are
/// written instead, and the test fails as a reminder to look at the files.
enum Frames {
    private static let folder: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        parts.removeLast(2)
        return (parts + ["Frames"]).joined(separator: "/")
    }()

    static func expect(_ text: String, matches name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let path = folder + "/" + name + ".txt"
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data((text + "\n").utf8).write(to: URL(filePath: path))
            Issue.record("recorded \(name)", sourceLocation: sourceLocation)
            return
        }
        let known = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        guard known != text + "\n" else { return }
        let pairs = zip(
            known.split(separator: "\n", omittingEmptySubsequences: false), text.split(separator: "\n", omittingEmptySubsequences: false))
        let row = Array(pairs).firstIndex { $0 != $1 }
        Issue.record("\(name) differs from row \(row.map(String.init) ?? "of its end") on:\n\(text)", sourceLocation: sourceLocation)
    }
}
