/// A manual page in roff, with the macros of `man(7)`.
struct ManualText {
    private(set) var text: String

    /// - Parameters:
    ///   - source: the program and its version, for the footer. The footer has no date, so that the same program always
    ///     generates the same page.
    init(name: String, section: Int, source: String, manual: String) {
        text = ".TH \"\(Self.escaped(name.uppercased()))\" \"\(section)\" \"\" \"\(Self.escaped(source))\" \"\(Self.escaped(manual))\"\n"
    }

    mutating func section(_ title: String) { text += ".SH \(Self.escaped(title))\n" }

    /// Adds paragraphs. In `words`, they are separated by empty lines.
    mutating func paragraphs(_ words: String) {
        var isFirst = true
        for paragraph in words.split(separator: "\n\n") {
            if !isFirst { text += ".PP\n" }
            isFirst = false
            text += Self.escaped(paragraph.replacing("\n", with: " ")) + "\n"
        }
    }

    /// Adds a line that begins in bold.
    mutating func line(bold: String, _ rest: String = "") {
        text += "\\fB\(Self.escaped(bold))\\fR" + (rest.isEmpty ? "" : " " + Self.escaped(rest, isBeginning: false)) + "\n"
    }

    mutating func entry(_ term: String, _ words: String) {
        text += ".TP\n\\fB\(Self.escaped(term))\\fR\n\(Self.escaped(words.isEmpty ? "The same." : words))\n"
    }

    /// Adds lines that are shown exactly as they are.
    mutating func verbatim(_ lines: String) {
        text += ".PP\n.nf\n.RS 4\n"
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false) { text += Self.escaped(line) + "\n" }
        text += ".RE\n.fi\n"
    }

    /// Escapes text for roff, so that no character has a special meaning, hyphens stay hyphens, and all characters are ASCII.
    private static func escaped(_ words: some StringProtocol, isBeginning: Bool = true) -> String {
        var out = isBeginning && (words.first == "." || words.first == "'") ? "\\&" : ""
        for scalar in words.unicodeScalars {
            switch scalar {
            case "\\": out += "\\e"
            case "-": out += "\\-"
            case "\"": out += "\\(dq"
            case "'": out += "\\(aq"
            case "`": out += "\\(ga"
            case "^": out += "\\(ha"
            case "~": out += "\\(ti"
            case _ where scalar.value < 0x20: out += " "
            case _ where scalar.value > 0x7E:
                let hex = String(scalar.value, radix: 16, uppercase: true)
                out += "\\[u\(String(repeating: "0", count: max(0, 4 - hex.count)))\(hex)]"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
