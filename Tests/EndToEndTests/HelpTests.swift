import Testing

@Suite("The help of commands")
struct HelpTests {
    @Test("follow's common options stand within the first 24 rows of a terminal of 80 columns")
    func firstScreen() throws {
        let outcome = try Program().run(["follow", "--help"], setting: ["COLUMNS": "80"])
        // The empty rows above the options are left out of the lines: behind the overview, the words, the usage and the arguments.
        let rows = outcome.lines.prefix(24 - 4)
        #expect(rows.contains("COMMON OPTIONS:"))
        for option in ["--output", "--json", "--units", "--record", "--keep-trying", "--profile", "--verbose", "--quiet", "--log"] {
            #expect(rows.contains { $0.contains(option) }, "\(option): \(rows.joined(separator: "\n"))")
        }
    }

    @Test("follow's options are in groups: common, map and screen, connection, advanced")
    func groups() throws {
        let lines = try Program().run(["follow", "--help"]).lines
        let titles = lines.filter { $0.hasSuffix("OPTIONS:") }
        #expect(
            titles == ["COMMON OPTIONS:", "MAP AND SCREEN OPTIONS:", "CONNECTION OPTIONS:", "ADVANCED OPTIONS:", "OPTIONS:"], "\(titles)")
        let connection = try #require(lines.firstIndex(of: "CONNECTION OPTIONS:"))
        let endpoint = try #require(lines.firstIndex { $0.hasPrefix("  --endpoint") })
        #expect(endpoint > connection)
    }
}
