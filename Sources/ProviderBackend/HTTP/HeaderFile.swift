import Files
import FleetEngine

/// `Name: value`, as it goes into an HTTP request.
public struct HeaderLine: Hashable, Sendable {
    /// The header's name, in ASCII.
    public let name: String
    /// The header's value, without blanks before it.
    public let value: String

    /// Nil for what could not stand in a request.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let value = parts[1].drop { $0 == " " }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        name = String(parts[0])
        self.value = String(value)
    }
}

/// Headers that are secrets: in a file, where no list of processes shows them. It is read again for each request.
///
/// A line is `Name: value`, a comment behind `#`, or empty.
public struct HeaderFile: Hashable, Sendable {
    private static let maximumBytes = 64 * 1024

    /// The path of the file.
    public let path: String

    /// A file that is read only when its lines are asked for.
    public init(path: String) { self.path = path }

    /// - Throws: `HeaderFileError` for a file that cannot be read or has a line that is no header.
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
            // The line itself may be a secret with a slip in it, so it is not shown.
            guard let header = HeaderLine(line) else {
                throw HeaderFileError(
                    description: "line \(index + 1) of the header file \(ForeignText.line(path)) is not of the form 'Name: value'")
            }
            headers.append(header)
        }
        return headers
    }
}

/// Why a header file gives no headers, in words that continue a sentence.
public struct HeaderFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why, without any text of the file.
    public let description: String
}
