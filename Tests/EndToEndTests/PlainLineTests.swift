import Testing

@testable import tripwatch

@Suite("Arguments that are read without the parser")
struct PlainLineTests {
    private static let place = "48.87,2.34,15"
    private static let trip = "providers/demo/trips/one"
    private static let connection = [
        "--endpoint 127.0.0.1:1 --plaintext --provider demo --token-file a", "--endpoint localhost:1 --ca a.pem --token-command a",
        "--token-url http://localhost/{tripID}",
    ]
    private static let look = [
        "--theme mono --painter ascii --colors 256 --ask-terminal off --mouse --basemap none --language de", "--title",
        "--basemap a.pmtiles",
        "--basemap town --offline --cache-size 5 --here 48.8,2.3 --read-only",
    ]
    private static let output = ["--output json --drawn 4", "--output plain --units uk"]
    private static let frame = ["--dump --size 60x20 --format ansi"]
    private static let any = ["--log a --profile a"]
    private static let starts: [(start: [String], rest: [[String]])] = [
        (["demo"], [["", "--speed 4 --seed 7 --grpc-port 0 --record a"], look, output, any]),
        (["map", place], [["--json", "--vehicle a --provider b --overlay a"], frame, look, connection, any]),
        (["map"], [["", "cache --json", "--fleet all --provider demo --interval 3 --plaintext", "a\u{301}"]]),
        (["follow", trip], [["--keep-trying --nearby --record a", "b c --provider-url http://a"], frame, look, output]),
        (["follow", trip], [connection, any]),
        (["follow"], [["", "--overlay a", "--interval 3"]]),
        (["status", trip], [["", "--format {eta}", "--waybar", "--tmux", "--json", "--watch --interval 2", "--units us"]]),
        (["status", trip], [connection, any]),
    ]
    private static let lines: [[String]] = starts.flatMap { start, rest in rest.joined().map { start + words($0) } }

    private static func words(_ line: String) -> [String] {
        line == "--title" ? ["--title", "to the = station"] : line.split(separator: " ").map(String.init)
    }

    /// All that a command holds, a line each, in whatever order sets have it.
    private static func lines(of value: Any, _ path: String = "") -> [String] {
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return ["\(path): \(type(of: value)) = \(value)"] }
        let lines = mirror.children.flatMap { Self.lines(of: $0.value, path + "." + ($0.label ?? "")) }
        return mirror.displayStyle == .set ? lines.sorted() : lines
    }

    @Test("what is written out gives what the parser gives", arguments: lines)
    func same(_ line: [String]) async throws {
        let parsed = try? await Tripwatch.parsed(line)
        let plain = PlainLine.command(line)
        #expect(plain.map { Self.lines(of: $0) } == parsed.map { Self.lines(of: $0) })
        // What is wrong is left to the parser, and nothing else here is.
        #expect((plain == nil) == (parsed == nil))
    }

    @Test("most of these lines can be read")
    func most() {
        let read = Self.lines.filter { PlainLine.command($0) != nil }
        #expect(read.count > Self.lines.count * 9 / 10, "\(Self.lines.filter { PlainLine.command($0) == nil })")
    }

    @Test(
        "all else is the parser's",
        arguments: [
            "", "help", "help map", "list", "map --help", "map -h", "map --version", "map --basemap=none", "map --basemap", "map --nothing",
            "map --basemap none --basemap osm", "map --mouse --no-mouse", "map -- a", "map --no-mouse", "map -36,2", "map --here -36,2",
            "map --painter oil", "map a b", "map --size 3x3", "map --speed 2", "demo town", "demo --speed fast", "demo --speed 0", "status",
            "status one two", "status --json --tmux one", "status --generate-completion-script bash", "follow --dump a b",
            "follow --hook http://a one", "follow --on-event a one", "follow --theme a.toml one", "---completion map",
            "--generate-completion-script bash", "map --experimental-dump-help",
        ])
    func parsers(_ line: String) { #expect(PlainLine.command(line.split(separator: " ").map(String.init)) == nil) }

    @Test(
        "a word of nothing is the parser's",
        arguments: [["map", ""], ["map", "--title", ""], ["status", ""], ["follow", "--theme", "", "a"]])
    func empty(_ line: [String]) { #expect(PlainLine.command(line) == nil) }
}
