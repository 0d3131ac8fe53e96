import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

/// A file with a page of the screen: the scenario, the keys to press, and the expected screen.
///
/// ```
/// # A comment.
/// scenario: approaching
/// size: 80x24
/// keys: x tab
/// ---
/// the screen, which is the rest of the file
/// ```
/// More fields: `painter:` is braille, sextant, half or ascii. `set:` has words that change the options. `at:` is the time of day that is
/// reached at the end. `effects:` has words for the effects that the keys caused.
struct ScreenFile {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "ScreenTests")
    private static let divider = "---"
    /// A theme without colours. Pages are compared as text, and other tests cover the lines and colours of themes.
    private static let plain = Theme(name: "plain", looks: [:], depth: .none)

    let name: String
    /// The lines before the screen, and the line that separates them from the screen.
    let head: String
    let fields: [String: String]
    let expected: String

    static var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".screen") }.sorted()
    }

    init(_ name: String) throws {
        self.name = name
        let text = String(decoding: try Data(contentsOf: Self.folder.appending(path: name)), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let end = lines.firstIndex { $0.hasPrefix(Self.divider) } ?? lines.count - 1
        head = lines[...end].joined(separator: "\n")
        expected = lines.dropFirst(end + 1).joined(separator: "\n")
        var fields: [String: String] = [:]
        for line in lines[..<end] where !line.hasPrefix("#") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[String(parts[0])] = parts[1].drop { $0 == " " }.description }
        }
        self.fields = fields
    }

    func record(_ screen: String) throws {
        try Data((head + "\n" + screen + "\n").utf8).write(to: Self.folder.appending(path: name))
    }

    /// Plays the scenario and presses the keys. Returns the text on the screen, and the effects that the keys caused. Returns nil if
    /// `scenario` is missing or unknown, or if `size` is not two numbers.
    func play() -> (screen: String, effects: String)? {
        let sides = (fields["size"] ?? "80x24").split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, let word = fields["scenario"] else { return nil }
        let isChanged = fields["painter"] != nil || fields["set"] != nil
        let options = isChanged ? Scenario.options { change(&$0) } : nil
        guard var scenario = Scenario.named(word, size: Size(columns: sides[0], rows: sides[1]), options: options) else { return nil }
        let before = scenario.effects.count
        scenario.press(fields["keys"] ?? "")
        if let clock = fields["at"] { scenario.tick(clock) }
        let screen = AppView().canvas(scenario.state, theme: Self.plain).text()
        return (screen, scenario.effects.dropFirst(before).map { "\($0)".prefix { $0 != "(" }.description }.joined(separator: " "))
    }

    private func change(_ options: inout AppOptions) {
        if let painter = fields["painter"].flatMap(Painter.init(rawValue:)) {
            options.painters = [painter] + Painter.allCases.filter { $0 != painter }
        }
        for word in (fields["set"] ?? "").split(separator: " ") {
            switch word {
            case "read-only": options.cancelling = .readOnly
            case "no-provider": options.cancelling = .noProvider
            case "notices": options.alerts.ways.insert(.notice)
            case "here": options.ownPosition = MadeUpTrip.place(300, 200)
            case "east": options.secondsFromGMT = { _ in 2 * 3_600 }
            case "us": options.measurementSystem = .us
            case "demo": options.mode = .demo
            case "adds": (options.addsTrips, options.provider) = (true, "made-up-cabs")
            default: break
            }
        }
    }
}
