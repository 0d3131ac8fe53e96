import TOMLText
import TerminalCanvas
import Themes

/// A parsed theme file and its errors. The file is nil if the text is not TOML.
struct ReadThemeFile: Sendable {
    let file: ThemeFile?
    let messages: ThemeMessages

    /// Reads a theme file.
    /// - Parameter isThorough: whether to record line numbers, and to treat an unreadable line as empty and continue.
    init(_ bytes: [UInt8], fileName: String, isThorough: Bool) {
        var messages = ThemeMessages(isThorough: isThorough)
        var bytes = bytes
        var file: ThemeFile?
        for _ in 0..<(isThorough ? Self.mostUnreadableLines : 1) where file == nil {
            do throws(TOMLDocument.Failure) {
                let document = try TOMLDocument(utf8: bytes)
                messages.learnLines(of: document, file: fileName)
                file = ThemeFile(document, fileName: fileName, messages: &messages)
            } catch {
                messages.add(.error, file: fileName, line: error.line, column: error.column, error.sentence)
                guard let line = error.line, Self.blank(line, in: &bytes) else { break }
            }
        }
        self.file = file
        self.messages = messages
    }

    /// Maximum number of unreadable lines. The number is limited because the whole file is parsed again after each such line.
    private static let mostUnreadableLines = 50

    /// Replaces the characters of a line with spaces. Returns false if the line is already blank.
    private static func blank(_ line: Int, in bytes: inout [UInt8]) -> Bool {
        let ends = bytes.indices.filter { bytes[$0] == 0x0a } + [bytes.count]
        guard line >= 1, line <= ends.count else { return false }
        let range = (line == 1 ? 0 : ends[line - 2] + 1)..<ends[line - 1]
        guard bytes[range].contains(where: { $0 != 0x20 && $0 != 0x0d }) else { return false }
        for index in range { bytes[index] = 0x20 }
        return true
    }
}

extension ThemeCatalog {
    /// Maximum length of a chain of inheriting themes.
    private static let maximumGenerations = 8

    /// A theme's name, and whether it is included in the binary.
    private struct Place: Hashable {
        var name: String
        var isEmbedded: Bool
    }

    /// Returns a theme combined with the themes from which it inherits. If the named theme is missing or unreadable, adds a message and
    /// returns nil. If an inherited theme is missing or unreadable, or the chain is a loop or too long, adds a message and leaves out the
    /// rest of the chain.
    ///
    /// - Parameter isEmbedded: whether to search only the themes in the binary.
    func source(_ name: String, isEmbedded: Bool, _ messages: inout ThemeMessages) -> (source: ThemeSource, isFromBinary: Bool)? {
        guard var (file, place) = file(name, isEmbedded: isEmbedded, from: nil, .error, &messages) else { return nil }
        let isFromBinary = place.isEmbedded
        var source = ThemeSource(file)
        var line = [place]
        while let parent = file.parent {
            // A user's theme may have the same name as a theme in the binary, and inherit from that theme. Themes in the binary
            // inherit only from other themes in the binary.
            let isEmbedded = place.isEmbedded || (parent == place.name && EmbeddedThemes.all[parent] != nil)
            guard let (next, nextPlace) = self.file(parent, isEmbedded: isEmbedded, from: file.fileName, .warning, &messages) else { break }
            if line.contains(nextPlace) || line.count == Self.maximumGenerations {
                let names = (line + [nextPlace]).map(\.name).joined(separator: ", ")
                let what = line.contains(nextPlace) ? "these themes inherit from each other" : "the chain of inherited themes is too long"
                messages.add(file: file.fileName, key: "inherits", "\(what): \(names)")
                break
            }
            (file, place) = (next, nextPlace)
            line.append(place)
            source.inherit(file)
        }
        return (source, isFromBinary)
    }

    private func file(
        _ name: String, isEmbedded: Bool, from child: String?, _ severity: ThemeMessage.Severity, _ messages: inout ThemeMessages
    ) -> (ThemeFile, Place)? {
        let key = child == nil ? nil : "inherits"
        let fileName = name + ".toml"
        guard Self.isName(name) else {
            messages.add(
                severity, file: child ?? "theme", key: key,
                "\(quoted(name)) is not a theme name; use letters, digits, \"-\" and \"_\"")
            return nil
        }
        var read: ReadThemeFile?
        var place = Place(name: name, isEmbedded: false)
        if !isEmbedded {
            do {
                read = try readUserTheme(fileName).map { ReadThemeFile($0, fileName: fileName, isThorough: messages.isThorough) }
            } catch {
                messages.add(severity, file: fileName, "the file cannot be read: \(sanitised("\(error)", maximumLength: 120))")
                return nil
            }
        }
        if read == nil {
            read = EmbeddedThemes.all[name].map { ReadThemeFile($0, fileName: fileName, isThorough: messages.isThorough) }
            place.isEmbedded = true
        }
        guard let read else {
            messages.add(severity, file: child ?? "theme", key: key, missing(name, child: child))
            return nil
        }
        messages.add(read.messages, atMost: severity)
        return read.file.map { ($0, place) }
    }

    /// Returns a message about a missing theme, without a full stop.
    /// - Parameter child: the file name of the theme that needs the missing theme. The message does not suggest the child.
    package func missing(_ name: String, child: String? = nil) -> String {
        let names = names.filter { child != $0 + ".toml" || EmbeddedThemes.all[$0] != nil }
        let hint = Nearest.match(name, among: names).map { " (did you mean \(quoted($0))?)" } ?? ""
        return "there is no theme \(quoted(name))\(hint); the themes are \(names.prefix(40).joined(separator: ", "))"
    }
}
