import Geo
import TOMLText
import Testing

@testable import TripWatchSettings

/// A random configuration file of valid keys, comments and profiles, in all allowed spellings.
private struct MadeUpFile {
    var text = ""
    /// The keys that are set at the top level, with their values.
    var written: [String: String] = [:]
    /// The keys that are commented out at the top level.
    var commented: Set<String> = []

    private static let notes = [
        "", "# a note", "  # theme is = \"nice\"", "#", "# [profiles.x]", "\t", "# endpoint = 'x'", "   ", "#é 東 \u{1f697}",
    ]

    init(_ random: inout SeededRandom) {
        let end = random.chance(0.3) ? "\r\n" : "\n"
        var lines: [String] = []
        for key in ConfigurationKey.all where random.chance(0.5) {
            if random.chance(0.5) { lines.append(Self.note(&random)) }
            guard let value = random.element(of: ValidValues.written[key.name] ?? []) else { continue }
            if random.chance(0.3), !value.contains("\n") {
                lines.append("#" + Self.pair(key.name, value, &random))
                commented.insert(key.name)
            } else {
                lines.append((random.chance(0.2) ? "  " : "") + Self.pair(key.name, value, &random))
                written[key.name] = value
            }
        }
        if random.chance(0.3) { lines.append("profiles.dotted.theme = 'mono'") }
        for name in ["home", "'night shift'"] { lines += Self.profile(name, &random) }
        if random.chance(0.5) { lines.append(Self.note(&random)) }
        text = (random.chance(0.1) ? "\u{feff}" : "") + lines.joined(separator: "\n").replacing("\n", with: end)
        if random.chance(0.7) { text += end }
    }

    private static func note(_ random: inout SeededRandom) -> String { random.element(of: notes) ?? "" }

    private static func pair(_ name: String, _ value: String, _ random: inout SeededRandom) -> String {
        let key = random.element(of: [name, name, name, "'\(name)'", "\"\(name)\""]) ?? name
        let equals = random.element(of: [" = ", "=", "\t=\t", "  ="]) ?? "="
        return key + equals + value + (random.element(of: ["", "", " ", " # here", "#", "\t# = [\"'"]) ?? "")
    }

    private static func profile(_ name: String, _ random: inout SeededRandom) -> [String] {
        var lines = [random.chance(0.5) ? "# \(name)" : "", random.chance(0.3) ? " [ profiles.\(name) ] # x" : "[profiles.\(name)]"]
        for key in ConfigurationKey.all where key.name != "profile" && random.chance(0.2) {
            guard let value = random.element(of: ValidValues.written[key.name] ?? []) else { continue }
            lines.append((random.chance(0.3) && !value.contains("\n") ? "#" : "") + Self.pair(key.name, value, &random))
        }
        return lines
    }
}

@Suite("Changing any configuration file")
struct ConfigurationEditingPropertyTests {
    #if DEBUG || UNOPTIMIZED
        private static let filesPerRound = 25
    #else
        private static let filesPerRound = 500
    #endif

    /// Returns the difference between two texts: the lines that were removed, and the lines that were added.
    private static func difference(_ old: [UInt8], _ new: [UInt8]) -> (gone: [ArraySlice<UInt8>], came: [ArraySlice<UInt8>]) {
        func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
            let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
            return bytes[start...].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        }
        var (gone, came) = (lines(old)[...], lines(new)[...])
        while let first = gone.first, first == came.first { (gone, came) = (gone.dropFirst(), came.dropFirst()) }
        while let last = gone.last, last == came.last { (gone, came) = (gone.dropLast(), came.dropLast()) }
        return (Array(gone), Array(came))
    }

    /// Returns whether the lines set this key and no other. If `isComment` is true, the comment sign of the first line is ignored.
    private static func isOnly(_ name: String, _ lines: [ArraySlice<UInt8>], isComment: Bool) -> Bool {
        var text = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
        if isComment {
            guard let sign = text.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }), text[sign] == UInt8(ascii: "#") else { return false }
            text.remove(at: sign)
        }
        return (try? TOMLDocument(utf8: text).table.keys.sorted()) == [name]
    }

    private static func table(_ text: [UInt8]) throws -> [String: TOMLDocument.Value] { try TOMLDocument(utf8: text).table }

    @Test("Only the line of the key changes, and everything else reads as before", arguments: 0..<8)
    func setting(round: Int) throws {
        var random = SeededRandom(seed: UInt64(2_100 + round))
        for _ in 0..<Self.filesPerRound {
            let file = MadeUpFile(&random)
            let old = Array(file.text.utf8)
            let before = try #require(try? Self.table(old), "\(file.text)")
            guard let key = random.element(of: ConfigurationKey.all), let typed = random.element(of: ValidValues.typed[key.name] ?? [])
            else {
                continue
            }
            do throws(ConfigurationMessage) {
                let new = try Configuration.setting(key.name, to: typed, in: old)
                var expected = before
                expected[key.name] = key.form.value(typed: typed)
                #expect((try? Self.table(new)) == expected, "\(file.text)")
                #expect(new.starts(with: [0xef, 0xbb, 0xbf]) == old.starts(with: [0xef, 0xbb, 0xbf]))
                let (gone, came) = Self.difference(old, new)
                let isUncommented = file.written[key.name] == nil && file.commented.contains(key.name)
                if file.written[key.name] == nil && !isUncommented {
                    // If the last line has no line break, the edit adds one.
                    #expect(gone.isEmpty || gone.allSatisfy(\.isEmpty) && !file.text.hasSuffix("\n"), "\(file.text)")
                } else if !gone.isEmpty {
                    #expect(Self.isOnly(key.name, gone, isComment: isUncommented) || expected == before, "\(file.text)")
                }
                #expect(came.count { !$0.isEmpty } <= 1 && (came.isEmpty || Self.isOnly(key.name, came, isComment: false)), "\(file.text)")
                let again = try Configuration.setting(key.name, to: typed, in: new)
                #expect(again == new)
            } catch {
                Self.checkRefusal(error, key, file)
            }
        }
    }

    /// Checks that a refused edit has one of the two allowed reasons.
    private static func checkRefusal(_ message: ConfigurationMessage, _ key: ConfigurationKey, _ file: MadeUpFile) {
        if message.sentence.hasPrefix("its value contains comments") {
            #expect(file.written[key.name]?.contains("# first") == true)
        } else {
            #expect(message.sentence.hasPrefix("only one of") && key.group != nil, "\(message) in \(file.text)")
        }
        #expect(message.key == key.name)
    }

    @Test("A removed key leaves its line as a comment and everything else as before", arguments: 0..<4)
    func unsetting(round: Int) throws {
        var random = SeededRandom(seed: UInt64(3_100 + round))
        for _ in 0..<Self.filesPerRound {
            let file = MadeUpFile(&random)
            let old = Array(file.text.utf8)
            guard let name = random.element(of: file.written.keys.sorted()) else { continue }
            do throws(ConfigurationMessage) {
                let new = try Configuration.unsetting(name, in: old)
                var expected = (try? Self.table(old)) ?? [:]
                expected[name] = nil
                #expect((try? Self.table(new)) == expected, "\(file.text)")
                let (gone, came) = Self.difference(old, new)
                #expect(
                    Self.isOnly(name, gone, isComment: false) && came.count == 1 && Self.isOnly(name, came, isComment: true), "\(file.text)"
                )
                #expect(try Configuration.unsetting(name, in: new) == new)
            } catch {
                #expect(error.sentence.hasPrefix("its value contains comments") && file.written[name]?.contains("# first") == true)
            }
        }
    }

    @Test("Keys set one after the other are all there at the end, over any file", arguments: 0..<4)
    func sequence(round: Int) throws {
        var random = SeededRandom(seed: UInt64(4_100 + round))
        for _ in 0..<Self.filesPerRound / 5 {
            var text = Array((random.chance(0.5) ? Configuration.defaultText + "\n[profiles.home]\n" : MadeUpFile(&random).text).utf8)
            var expected = try Self.table(text)
            for _ in 0..<10 {
                guard let key = random.element(of: ConfigurationKey.all), let typed = random.element(of: ValidValues.typed[key.name] ?? [])
                else { continue }
                if random.chance(0.3) {
                    guard let changed = try? Configuration.unsetting(key.name, in: text) else { continue }
                    (text, expected[key.name]) = (changed, nil)
                } else if let changed = try? Configuration.setting(key.name, to: typed, in: text) {
                    (text, expected[key.name]) = (changed, key.form.value(typed: typed))
                }
            }
            #expect(try Self.table(text) == expected)
        }
    }
}
