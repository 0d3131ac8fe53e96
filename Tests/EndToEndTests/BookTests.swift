import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("book --follow on a terminal", .timeLimit(.minutes(2)))
struct BookTests {
    @Test("the trip's name is shown before the screen and after it, and in full in the details")
    func name() throws {
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"])
        defer { server.stop() }
        let words = try #require(server.line()).split(separator: " ")
        let grpc = try #require(words.first { $0.hasPrefix("grpc=") }).dropFirst(5)
        let http = try #require(words.first { $0.hasPrefix("http=") }).dropFirst(5)
        let state = try Folder()
        defer { withExtendedLifetime(state) {} }
        let book = try ProgramOnTerminal(
            [
                "book", "--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060", "--provider-url", "http://\(http)", "--endpoint",
                String(grpc), "--plaintext", "--follow", "--interval", "1",
            ], setting: ["XDG_STATE_HOME": state.path])
        try book.wait(for: "LOOKING FOR A CAR")
        book.press("d")
        try book.wait(for: "the whole name") { Self.name(inDetails: $0) != nil }
        let name = try #require(Self.name(inDetails: book.text))
        book.press("q")
        book.press("q")
        #expect(try book.end() == 0)
        let output = book.terminal.visibleOutput
        #expect(output.hasPrefix(name) && output.ranges(of: name).count == 2, "\(output.suffix(300))")
        #expect(try Program().run(["cancel", name, "--provider-url", "http://\(http)"]).status == 0)
    }

    /// Returns the trip's name from the rows of the details; nil until the whole name is shown.
    private static func name(inDetails text: String) -> String? {
        let rows = text.split(separator: "\n").map(String.init)
        guard let first = rows.firstIndex(where: { $0.contains("providers/demo/trips/") }), rows.indices.contains(first + 1) else {
            return nil
        }
        let parts = rows[first...(first + 1)].compactMap { row in
            row.split(separator: " ").map(String.init).last { $0.contains("providers/") || $0.allSatisfy(\.isHexDigitOrHyphen) }
        }
        let name = parts.joined()
        return name.count == "providers/demo/trips/trip-".count + 36 ? name : nil
    }
}

extension Character {
    fileprivate var isHexDigitOrHyphen: Bool { isHexDigit || self == "-" }
}
