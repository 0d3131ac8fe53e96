import Foundation
import TerminalCanvas
import Testing

@testable import TripWatchSettings

@Suite("Keys")
struct KeyMapTests {
    @Test("every action has a key somewhere")
    func complete() {
        let maps = [KeyMap.standard.withRide, .driving, .replaying, .choosing, .mapping]
        let entries = maps.flatMap(\.bindings).flatMap(\.entries)
        #expect(Set(entries.map(\.action)) == Set(AppAction.allCases))
    }

    @Test("no key has two actions", arguments: [KeyMap.standard, .standard.withRide, .driving, .replaying, .choosing, .mapping])
    func unique(map: KeyMap) {
        let entries = map.bindings.flatMap(\.entries)
        let keys = entries.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        for entry in entries { for key in entry.keys { #expect(map.action(for: key) == entry.action) } }
    }

    @Test("no key needs AltGr on a European keyboard")
    func typeable() {
        for key in (KeyMap.mapping.bindings + KeyMap.driving.bindings + KeyMap.replaying.bindings).flatMap(\.entries).flatMap(\.keys) {
            if case .character(let character) = key.code { #expect(!"[]{}\\|@~".contains(character)) }
        }
    }

    @Test("Shift never matters, Ctrl matters only with characters, and Alt makes another key")
    func modifiers() {
        let map = KeyMap.standard
        #expect(map.action(for: Key(.up, modifiers: .shift)) == .panUp)
        #expect(map.action(for: Key(.right, modifiers: [.shift, .control])) == .panRight)
        #expect(map.action(for: .control("r")) == .refresh)
        #expect(map.action(for: .control("q")) == nil)
        #expect(map.action(for: .alt("q")) == nil)
        #expect(map.action(for: Key(.left, modifiers: .alt)) == nil)
    }

    @Test("docs/keys.md has every page's keys as in the program")
    func document() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = package.appending(path: "docs/keys.md")
        var text = try String(contentsOf: document, encoding: .utf8)
        let ofRide = KeyMap(KeyMap.standard.withRide.bindings.filter { !KeyMap.standard.bindings.map(\.words).contains($0.words) })
        let ofMap = KeyMap(KeyMap.mapping.bindings.filter { $0.actions.contains(.book) })
        let pages = [
            ("On the screen of a trip", KeyMap.standard), ("At the end of a recorded ride", ofRide),
            ("In the list of trips", .choosing), ("On the driver's screen", .driving), ("In a replay", .replaying),
            ("On a map without a trip", ofMap),
        ]
        let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil
        for (title, map) in pages {
            let section = "\n## \(title)\n\n\(map.markdownTable)\n\n"
            if isRecording {
                let parts = text.components(separatedBy: "\n## ")
                let others = parts.map { $0.hasPrefix(title + "\n") ? String(section.dropFirst(4).dropLast()) : $0 }
                text = others.joined(separator: "\n## ")
            }
            #expect(text.contains(section), "\(title)")
        }
        guard isRecording else { return }
        try text.write(to: document, atomically: true, encoding: .utf8)
        Issue.record("recorded")
    }

    @Test("a table for a page has every line of the list")
    func table() {
        let lines = KeyMap.standard.markdownTable.split(separator: "\n")
        #expect(lines.count == KeyMap.standard.bindings.count + 2)
        #expect(lines.contains("| `f` | follow the car, on or off |"))
        #expect(KeyMap.driving.markdownTable.contains("| `v` | report arrival or the trip's end |"))
    }
}
