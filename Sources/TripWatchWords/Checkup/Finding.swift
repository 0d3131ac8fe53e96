import TerminalCanvas

/// The result of one check of the command `doctor`.
package struct Finding: Hashable, Sendable {
    package enum Result: String, Hashable, Sendable { case ok, warn, fail }

    package let result: Result
    /// The subject of the check, such as "locale".
    package let check: String
    /// The result in a sentence.
    package let message: String
    /// Advice in a sentence; nil if the user need not do anything.
    package let advice: String?

    package init(_ result: Result, _ check: String, _ message: String, advice: String? = nil) {
        self.result = result
        self.check = check
        self.message = sanitised(message, maximumLength: 600)
        self.advice = advice.map { sanitised($0, maximumLength: 600) }
    }

    /// Returns a finding for a check that was not possible. It counts as ok.
    package static func notChecked(_ check: String, _ why: String) -> Finding { Finding(.ok, check, "not checked: \(why).") }

    /// The finding on one line: `warn  locale: … .`
    package var line: String { "\(result.rawValue)  \(check): \(message)" + (advice.map { " \($0)" } ?? "") }

    /// The finding in lines of at most `columns` characters, broken at spaces. Later lines are indented to the start of the first line's
    /// words. If `columns` is nil or very small, the finding is a single line.
    package func lines(columns: Int?) -> [String] {
        let start = "\(result.rawValue)  "
        // The last column stays free, because some terminals wrap lines there on their own.
        guard let room = columns.map({ $0 - 1 - start.count }), room >= Self.leastColumns else { return [line] }
        return wrapped(String(line.dropFirst(start.count)), columns: room).enumerated().map { index, words in
            (index == 0 ? start : String(repeating: " ", count: start.count)) + words
        }
    }

    /// The smallest number of columns for which this type breaks lines. A narrower terminal wraps the lines itself.
    private static let leastColumns = 16

    private var json: String {
        var object = JSONLine()
        object.add("check", .string(check))
        object.add("result", .string(result.rawValue))
        object.add("message", .string(message))
        object.add("advice", advice.map(JSONText.string))
        return object.finished
    }

    /// Returns a JSON array with one object for each finding, on one line.
    package static func json(_ findings: [Finding]) -> String { "[" + findings.map(\.json).joined(separator: ",") + "]" }
}
