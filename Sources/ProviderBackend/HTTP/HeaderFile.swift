import Files
import FleetEngine

/// A header of an HTTP request: `Name: value`.
public struct HeaderLine: Hashable, Sendable {
    /// The header's name, in ASCII.
    public let name: String
    /// The header's value, without leading blanks.
    public let value: String

    /// Returns nil for text that is not a valid header.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let value = parts[1].drop { $0 == " " }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        name = String(parts[0])
        self.value = String(value)
    }
}

/// A file with secret headers. Unlike headers on the command line, these headers do not appear in the process list. The file is read again
/// for each request.
///
/// Each line is `Name: value`, a comment that starts with `#`, or empty.
public struct HeaderFile: Hashable, Sendable {
    private static let maximumBytes = 64 * 1024

    /// The path of the file.
    public let path: String

    /// Creates a header file. The file is read only when its lines are needed.
    public init(path: String) { self.path = path }

    /// Reads the headers.
    /// - Throws: `HeaderFileError` for an unreadable file, or a file with an invalid line.
    public func lines() throws(HeaderFileError) -> [HeaderLine] {
        let bytes: [UInt8]
        do throws(SmallFile.Trouble) {
            bytes = try SmallFile.bytes(path: path, limit: Self.maximumBytes)
        } catch {
            let words = error.words(limitKiB: Self.maximumBytes / 1024)
            throw HeaderFileError(description: "the header file \(ForeignText.line(path)) \(words)")
        }
        var headers: [HeaderLine] = []
        let lines = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            guard let first = line.first(where: { $0 != " " && $0 != "\t" }), first != "#" else { continue }
            // The line may be a mistyped secret, so the message does not show it.
            guard let header = HeaderLine(line) else {
                throw HeaderFileError(
                    description: "line \(index + 1) of the header file \(ForeignText.line(path)) is not of the form 'Name: value'")
            }
            headers.append(header)
        }
        return headers
    }

    /// Returns `own` and the headers of the file. A header in `own` replaces the file's headers of the same name.
    func lines(under own: [(name: String, value: String)]) throws(HeaderFileError) -> [(name: String, value: String)] {
        let names = Set(own.map { $0.name.lowercased() })
        let others = try lines().filter { !names.contains($0.name.lowercased()) }
        return own + others.map { (name: $0.name, value: $0.value) }
    }
}

/// The reason why a header file cannot be used, worded as part of a longer sentence.
public struct HeaderFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, without any text from the file.
    public let description: String
}
