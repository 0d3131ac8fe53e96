import Foundation
import Testing

@testable import ProgramHarness

@Suite("The commands on the README and the pages", .timeLimit(.minutes(5)))
struct ReadmeTests {
    private static let pages: [String] = {
        let folder = Program.package.appending(path: "docs").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return ["README.md", "CONTRIBUTING.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    }()

    private static func text(_ page: String) throws -> String {
        try String(contentsOf: Program.package.appending(path: page), encoding: .utf8)
    }

    @Test("every call of tripwatch on a page is valid for the program, and every script exists")
    func understood() throws {
        let tree = try CommandTree.program.get()
        var count = 0
        for page in Self.pages {
            for block in ShellWords.blocks(of: try Self.text(page)) {
                for call in ShellWords.calls(in: block) {
                    count += 1
                    #expect(tree.complaint(about: call) == nil, "\(page): tripwatch \(call.joined(separator: " "))")
                }
                let words = ShellWords.commands(in: block).joined().map { $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 }
                for word in words where word.hasPrefix("packaging/") || word.hasPrefix(".ci/") {
                    #expect(FileManager.default.isExecutableFile(atPath: Program.package.appending(path: word).path), "\(page): \(word)")
                }
            }
        }
        #expect(count > 80, "only \(count) calls are seen")
    }

    @Test(
        "a call that the program would refuse is found anywhere in a line",
        arguments: [
            ("sudo true && tripwatch follow TRIP --nosuch | cat", "there is no option --nosuch"),
            ("TRIP=$(tripwatch bok --from 1,2)", "there is no option --from"), ("tripwatch nosuch", "tripwatch takes 0 words, not 1"),
            ("tripwatch serve --exec 'tripwatch status T U'", "status takes 1 words, not 2"),
            ("tripwatch map \\\n    --painter oil   # no 'paint", "--painter is not oil"),
            ("tripwatch demo > x.txt --speed # 8", "--speed has no value"),
        ])
    func mistakes(line: String, complaint: String) throws {
        let tree = try CommandTree.program.get()
        #expect(ShellWords.calls(in: line).compactMap(tree.complaint(about:)) == [complaint])
    }

    @Test("the README's two commands for a fresh machine begin with the same script, and .ci/run uses the second")
    func wholeCommands() throws {
        let lines = ShellWords.blocks(of: try Self.text("README.md")).flatMap { $0.split(separator: "\n") }
        let commands = lines.filter { $0.hasPrefix("./packaging/install") }.map { $0.components(separatedBy: " && ") }
        #expect(commands == [["./packaging/install", "tripwatch demo"], ["./packaging/install --packages", ".ci/test"]])
        #expect(try Self.text(".ci/run").contains(".ci/test --skip-build"))
    }

    @Test("every call in the README works: it prints something and continues, or exits without an error")
    func runs() throws {
        let surroundings = try ReadmeSurroundings()
        for block in ShellWords.blocks(of: try Self.text("README.md")) { try surroundings.run(block) }
        #expect(surroundings.count > 30, "only \(surroundings.count) calls ran")
    }

    @Test(
        "every call in docs/ that needs no network works: it prints something and continues, or exits without an error",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
    func docsRun() throws {
        let surroundings = try ReadmeSurroundings()
        for page in Self.pages where page.hasPrefix("docs/") {
            for block in ShellWords.blocks(of: try Self.text(page)) where !ShellWords.calls(in: block).isEmpty {
                try surroundings.run(block, of: page)
            }
        }
        #expect(surroundings.count > 50, "only \(surroundings.count) calls ran")
    }

    @Test("each call in the list of exceptions is on its page", arguments: UnstartedCommands.all)
    func left(entry: UnstartedCommands.Entry) throws {
        let page = "docs/" + entry.page
        let calls = ShellWords.blocks(of: try Self.text(page)).flatMap(ShellWords.calls(in:))
        #expect(calls.contains { UnstartedCommands.entry(of: $0, on: page)?.start == entry.start }, "\(entry.page): \(entry.start)")
    }
}
