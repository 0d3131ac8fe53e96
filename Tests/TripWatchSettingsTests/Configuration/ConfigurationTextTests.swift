import FleetEngine
import JourneySharing
import TOMLText
import TerminalCanvas
import Testing

@testable import TripWatchSettings

@Suite("The configuration file as the program writes it")
struct ConfigurationTextTests {
    private var lines: [Substring] { Configuration.defaultText.split(separator: "\n", omittingEmptySubsequences: false) }

    /// Removes the comment sign directly before a key.
    private var uncommented: String {
        lines.map { line in
            let name = line.dropFirst().prefix { $0 != " " }
            return line.hasPrefix("#") && ConfigurationKey.named(String(name)) != nil ? line.dropFirst() : line
        }.joined(separator: "\n")
    }

    @Test("The file sets nothing")
    func silent() {
        let read = configuration(Configuration.defaultText)
        #expect(read.messages == [])
        #expect(read.configuration == Configuration())
        #expect(lines.allSatisfy { $0.isEmpty || $0.hasPrefix("#") })
    }

    @Test("If the comment sign before every key is removed, the file sets the defaults")
    func defaults() throws {
        let read = configuration(uncommented)
        #expect(read.messages == [])
        var expected = Configuration()
        expected.endpoint = "fleetengine.googleapis.com:443"
        expected.security = .tls(certificates: nil)
        expected.intervalSeconds = PollMachine.Configuration.standardInterval
        expected.cacheMegabytes = 256
        expected.colors = .auto
        expected.asksTerminal = .auto
        expected.tripKind = .ride
        expected.usesMouse = false
        expected.usesClipboard = true
        expected.setsWindowTitle = true
        expected.keepRides = 20
        expected.alertWords = [.minutes(2), .here, .delay, .lost]
        expected.alertWays = [.bell]
        expected.shareHost = "127.0.0.1"
        expected.sharePort = 8_090
        expected.sharesPlaintext = false
        expected.arrivalRadiusMeters = 50
        expected.isManual = false
        expected.database = ":memory:"
        #expect(read.configuration == expected)
        #expect(try TOMLDocument(utf8: Array(uncommented.utf8)).table.keys.sorted() == ConfigurationKey.all.map(\.name).sorted())
    }

    @Test("The file has every key once, with its explanation")
    func complete() {
        for key in ConfigurationKey.all {
            let line = "#\(key.name) = \(key.standardLiteral)"
            #expect(lines.count { $0 == line } == 1, "\(key.name)")
            #expect(lines.count { $0 == "# " + key.purpose } == 1, "\(key.name)")
        }
        #expect(lines.allSatisfy { displayWidth(String($0)) <= 120 && !$0.hasSuffix(" ") })
        #expect(Configuration.defaultText.hasSuffix("\n"))
    }

    @Test("The example of a profile is valid")
    func example() {
        let example = lines.filter { $0.hasPrefix("#     ") }.map { $0.dropFirst(6) }.joined(separator: "\n")
        let read = configuration(example, profile: "laptop")
        #expect(read.messages == [])
        #expect(read.configuration.profile == "laptop")
        #expect(read.configuration.security == .plaintext)
    }

    @Test("The table in Markdown has a row of four cells for each key")
    func markdown() {
        let rows = Configuration.markdownTable.split(separator: "\n")
        #expect(rows.count == ConfigurationKey.all.count + 2)
        #expect(rows.allSatisfy { $0.replacing("\\|", with: "").count { $0 == "|" } == 5 })
        for (key, row) in zip(ConfigurationKey.all, rows.dropFirst(2)) {
            #expect(row.hasPrefix("| `\(key.name)` | \(key.purpose) | "))
        }
    }

    @Test("Names of keys are words, and explanations are sentences")
    func keys() {
        let keys = ConfigurationKey.all
        #expect(Set(keys.map(\.name)).count == keys.count)
        for key in keys {
            #expect(key.name.allSatisfy { $0.isLowercase || $0 == "_" })
            #expect(key.purpose.hasSuffix(".") && key.purpose.first?.isUppercase == true)
            #expect(!key.allowed.isEmpty && !key.allowed.hasSuffix(".") && !key.standard.isEmpty && !key.standard.hasSuffix("."))
        }
    }
}
