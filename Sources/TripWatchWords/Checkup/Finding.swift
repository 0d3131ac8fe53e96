import TerminalCanvas

/// What one check of `doctor` found.
package struct Finding: Hashable, Sendable {
    package enum Result: String, Hashable, Sendable { case ok, warn, fail }

    package let result: Result
    /// What was looked at: "locale".
    package let check: String
    /// What was found, as a sentence.
    package let message: String
    /// What to do, as a sentence; nil where there is nothing to do.
    package let advice: String?

    package init(_ result: Result, _ check: String, _ message: String, advice: String? = nil) {
        self.result = result
        self.check = check
        self.message = sanitised(message, maximumLength: 600)
        self.advice = advice.map { sanitised($0, maximumLength: 600) }
    }

    /// What cannot be known here is no fault.
    package static func notMeasured(_ check: String, _ why: String) -> Finding { Finding(.ok, check, "not measured: \(why).") }

    /// `warn  locale: … .`
    package var line: String { "\(result.rawValue)  \(check): \(message)" + (advice.map { " \($0)" } ?? "") }

    /// The same for a terminal of that many columns: broken at spaces, further lines below the first one's words. Nil breaks nothing.
    package func lines(columns: Int?) -> [String] {
        let start = "\(result.rawValue)  "
        // The last column stays free: some terminals begin a new line there by themselves.
        guard let room = columns.map({ $0 - 1 - start.count }), room >= Self.leastColumns else { return [line] }
        return wrapped(String(line.dropFirst(start.count)), columns: room).enumerated().map { index, words in
            (index == 0 ? start : String(repeating: " ", count: start.count)) + words
        }
    }

    /// Narrower ones break better by themselves.
    private static let leastColumns = 16

    private var json: String {
        var object = JSONLine()
        object.add("check", .string(check))
        object.add("result", .string(result.rawValue))
        object.add("message", .string(message))
        object.add("advice", advice.map(JSONText.string))
        return object.finished
    }

    /// An array with an object a finding, in one line.
    package static func json(_ findings: [Finding]) -> String { "[" + findings.map(\.json).joined(separator: ",") + "]" }
}
