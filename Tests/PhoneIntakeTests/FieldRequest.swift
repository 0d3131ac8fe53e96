import FoundationEssentials
import PhoneIntake

/// A recorded request from a phone. The recordings are in a folder beside the package. Tests that need them are skipped if they are
/// missing.
struct FieldRequest {
    let format: PhoneFormat
    let query: String
    let body: String

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "../shared/data/field/phones").standardizedFileURL

    static var arePresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

    /// Reads the requests in a file, in order. Placeholders such as `{NOW-60}` and `{SQL}` are replaced by times that are counted from
    /// `now`.
    static func read(_ name: String, now: Date) throws -> [FieldRequest] {
        let text = String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
        let filled = text.replacing(/\{(NOW|ISO)([-+][0-9]+)?\}/) { match -> String in
            let time = now.addingTimeInterval(match.output.2.flatMap { Double($0) } ?? 0)
            return match.output.1 == "ISO" ? time.formatted(.iso8601) : String(Int64(time.timeIntervalSince1970))
        }
        let west = now.addingTimeInterval(-7 * 3_600).formatted(.iso8601).replacing("Z", with: "-0700")
        let local = now.formatted(.iso8601).replacing("T", with: "%20").replacing("Z", with: "")
        let timed = filled.replacing("{ISO0700}", with: west).replacing("{SQL}", with: local)
        let lines = timed.split(separator: "\n", omittingEmptySubsequences: false).drop { $0.hasPrefix("#") }
        return lines.split { $0 == "---" }.compactMap { FieldRequest(Array($0)) }
    }

    /// - Parameter lines: the request line, the headers, an empty line, and the body.
    private init?(_ lines: [Substring]) {
        guard let target = lines.first?.split(separator: " ").last?.split(separator: "?", maxSplits: 1),
            let name = target.first?.split(separator: "/").last, let format = PhoneFormat(rawValue: String(name))
        else { return nil }
        self.format = format
        query = target.count > 1 ? String(target[1]) : ""
        body = lines.drop { !$0.isEmpty }.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
