/// Makes text from other programs safe to show in this program's messages: one printable line of limited length, without likely secrets.
package enum ForeignText {
    /// Returns the printable characters of `text` on one line, at most `limit` characters, and `…` if more text follows. Control characters
    /// and line breaks become spaces. Format (bidi), private-use and unassigned characters are dropped. So are leading spaces, unless the
    /// text is shortened.
    package static func line(_ text: String, limit: Int = 200) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if line.count >= limit { return String(line) + "…" }
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
            case .format, .surrogate, .privateUse, .unassigned: continue
            default: line.append(scalar)
            }
        }
        return String(line.drop { $0 == " " })
    }

    /// Like `line`, but hides secrets. If the text contains one of `secrets`, a notice replaces the whole text. Otherwise, words that look
    /// like secrets are hidden. Secrets of fewer than 4 bytes are ignored.
    package static func redactedLine(_ text: String, secrets: [String] = [], limit: Int = 200) -> String {
        if secrets.contains(where: { $0.utf8.count >= 4 && text.contains($0) }) { return "(its message contains a token and is not shown)" }
        var words: [String] = []
        var previous = ""
        for word in line(text, limit: limit * 8).split(separator: " ") {
            words.append(["bearer", "basic"].contains(previous.lowercased()) ? "…" : redacted(word))
            previous = String(word)
        }
        return line(words.joined(separator: " "), limit: limit)
    }

    private static func redacted(_ word: Substring) -> String {
        if word.contains("eyJ") { return "…" }
        var text = String(word)
        if let mark = word.range(of: "://") {
            let rest = word[mark.upperBound...]
            let withoutQuery = rest.prefix { $0 != "?" && $0 != "#" }
            let authority = withoutQuery.prefix { $0 != "/" }
            let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
            text = word[..<mark.upperBound] + host + withoutQuery.dropFirst(authority.count) + (withoutQuery.count < rest.count ? "?…" : "")
        }
        return hidingLongRuns(text)
    }

    /// Replaces each run of 32 or more letters, digits, `-` and `_`, because such a run is more often a key than a word. UUIDs are kept,
    /// because they may be ids of trips.
    private static func hidingLongRuns(_ text: String) -> String {
        var out = ""
        var run: [Character] = []
        func close() {
            let isUUID = run.count == 36 && [8, 13, 18, 23].allSatisfy { run[$0] == "-" }
            out += run.count >= 32 && !isUUID ? "…" : String(run)
            run = []
        }
        for character in text {
            if character.isASCII, character.isLetter || character.isNumber || character == "-" || character == "_" {
                run.append(character)
            } else {
                close()
                out.append(character)
            }
        }
        close()
        return out
    }
}

extension Substring {
    fileprivate func range(of mark: String) -> Range<Index>? { ranges(of: mark).first }
}
