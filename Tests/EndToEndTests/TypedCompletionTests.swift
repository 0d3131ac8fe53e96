import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

/// A shell on a terminal. The test types words and Tab.
private struct TypingShell {
    private let terminal: PseudoTerminal
    private let program: TerminalProgram
    private let home: Folder

    /// - Parameters:
    ///   - setUp: the script that loads the program's completions into the shell.
    init(_ shell: String, _ arguments: [String], setUp: String) throws {
        terminal = try PseudoTerminal()
        home = try Folder()
        try FileManager.default.createDirectory(atPath: home.path + "/.local/state/tripwatch", withIntermediateDirectories: true)
        let seen = Date().timeIntervalSince1970
        _ = try home.write(
            ".local/state/tripwatch/trips.json",
            #"[{"name":"providers/p/trips/$(touch pwned)","status":"NEW","opened":\#(seen),"seen":\#(seen),"#
                + #""endpoint":"127.0.0.1:1","plaintext":true}]"#)
        let folder = URL(filePath: Program.path).deletingLastPathComponent().path
        let environment = Program().environment.merging([
            "TERM": "xterm-256color", "PATH": folder + ":/usr/bin:/bin", "HOME": home.path, "PS1": "ready> ", "HISTFILE": "/dev/null",
            "fish_greeting": "",
        ]) { $1 }
        program = try TerminalProgram(
            "/usr/bin/" + shell, arguments, on: terminal, environment: environment.map { "\($0.key)=\($0.value)" })
        let script = home.path + "/set-up"
        try Data((setUp + "\n").utf8).write(to: URL(filePath: script))
        terminal.send("source \(script); echo it is' 'loaded\r")
        try program.wait(for: "the shell") { $0.text.contains("it is loaded\n") || $0.text.contains("it is loaded ") }
    }

    /// Types words and Tab, and waits for the expected line. Then clears the line.
    func complete(_ words: String, to line: String) throws {
        terminal.send(words + "\t")
        try program.wait(for: "“\(line)” after “\(words)”") { $0.text.contains(line) }
        terminal.send("\u{15}")
        try program.wait(for: "an empty line") { !$0.text.contains(line) }
    }

    func end() throws {
        terminal.send("exit\r")
        _ = try program.end()
    }
}

@Suite("Completion with Tab in shells", .timeLimit(.minutes(2)))
struct TypedCompletionTests {
    private static func isInstalled(_ shell: String) -> Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/" + shell) }

    private static let lines = [
        ("tripwatch fol", "tripwatch follow"), ("tripwatch follow --the", "tripwatch follow --theme"),
        ("tripwatch follow --theme harbour-l", "--theme harbour-light"), ("tripwatch follow --painter sex", "--painter sextant"),
        ("tripwatch themes show mon", "themes show mono"), ("tripwatch config set them", "config set theme"),
        ("tripwatch config set theme colour-blind-l", "set theme colour-blind-light"), ("tripwatch help ke", "help keys"),
        ("tripwatch man doc", "man doctor"), ("tripwatch drive --stdin ownt", "--stdin owntracks"),
        ("tripwatch wait --until compl", "--until complete"), ("tripwatch serve --router stra", "--router straight"),
        // The known trip's id is a shell command. Each shell quotes it in its own way.
        ("tripwatch follow providers/p/trips/", #"\(touch\ pwned"#),
    ]

    @Test("zsh completes commands, options and values", .enabled(if: isInstalled("zsh")))
    func zsh() throws {
        let shell = try TypingShell(
            "zsh", ["-f", "-i"],
            setUp: """
                mkdir -p $HOME/f; tripwatch completion zsh > $HOME/f/_tripwatch; fpath=($HOME/f $fpath)
                autoload -U compinit && compinit -u -d $HOME/dump; cd $HOME; : > own:theme.toml
                """)
        for (words, line) in Self.lines { try shell.complete(words, to: line) }
        try shell.complete("tripwatch themes check own", to: "check own:theme.toml")
        try shell.end()
    }

    @Test("fish completes commands, options and values", .enabled(if: isInstalled("fish")))
    func fish() throws {
        let shell = try TypingShell(
            "fish", ["--no-config", "-i"], setUp: "function fish_prompt; echo -n 'ready> '; end; tripwatch completion fish | source")
        for (words, line) in Self.lines { try shell.complete(words, to: line) }
        try shell.end()
    }

    @Test("bash completes commands, options and values", .enabled(if: isInstalled("bash")))
    func bash() throws {
        let shell = try TypingShell(
            "bash", ["--norc", "--noprofile", "-i"], setUp: "source <(tripwatch completion bash)")
        for (words, line) in Self.lines { try shell.complete(words, to: line) }
        try shell.end()
    }
}
