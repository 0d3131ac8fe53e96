/// A right of a provider API key. Reading needs no right, because every key may read.
public enum DeskRight: String, CaseIterable, Hashable, Sendable {
    /// The right to book trips.
    case book
    /// The right to cancel trips and to set their status.
    case cancel
    /// The right to get tokens for Fleet Engine.
    case tokens
    /// The right to give keys to phones, and to create and change vehicles.
    case phones
}

/// A key of the provider API. Every key may read; other calls need a right.
public struct DeskKey: Hashable, Sendable {
    /// The name of the key that has all rights.
    public static let fullName = "desk"

    /// The name of the key: `desk`, or `desk-NAME`.
    public let name: String
    /// The key's rights besides reading.
    public let rights: Set<DeskRight>
    let secret: String

    /// - Parameter secret: the text that callers send. An empty text admits no caller.
    public init(name: String, secret: String, rights: Set<DeskRight>) {
        self.name = name
        self.secret = secret
        self.rights = rights
    }

    /// Reads a key from the text of a file. The first line is the key, and the second line is `rights: …`.
    ///
    /// - Throws: `DeskKeyError` with the fault of the text, and what to write instead.
    public init(name: String, text: String) throws(DeskKeyError) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(Self.trimmed)
        let filled = lines.lastIndex { !$0.isEmpty }.map { lines[...$0] } ?? []
        guard let secret = filled.first, !secret.isEmpty, secret.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw DeskKeyError("contains no key: write one word of printable ASCII on its first line")
        }
        let advice = "on line 2, write 'rights:' and one or more of the words 'book', 'cancel', 'tokens' and 'phones', separated by spaces"
        guard let words = filled.dropFirst().first, words.hasPrefix(Self.rightsWord) else {
            throw DeskKeyError("has no rights: \(advice)")
        }
        guard filled.count == 2 else { throw DeskKeyError("has more than two lines: keep only the key and its rights") }
        let names = words.dropFirst(Self.rightsWord.count).split(whereSeparator: \.isWhitespace)
        let rights = names.compactMap { DeskRight(rawValue: String($0)) }
        guard !names.isEmpty, rights.count == names.count else {
            let trouble = names.isEmpty ? "no rights" : "an unknown right"
            throw DeskKeyError("has \(trouble): \(advice)")
        }
        self.init(name: name, secret: String(secret), rights: Set(rights))
    }

    /// Returns the first line of a file whose second line lists rights; nil for any other text.
    public static func secret(besideRightsIn text: String) -> String? { (try? DeskKey(name: "", text: text))?.secret }

    /// Whether another key has the same secret.
    public func hasSameSecret(as other: DeskKey) -> Bool { secret == other.secret }

    /// Whether a text is this key. For texts of the key's length, the comparison takes constant time, so that its duration does not reveal
    /// the first wrong character. A text of another length is refused at once.
    func admits(_ given: [UInt8]) -> Bool {
        let right = Array(secret.utf8)
        guard given.count == right.count, !right.isEmpty else { return false }
        return zip(given, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static let rightsWord = "rights:"

    private static func trimmed(_ line: Substring) -> Substring {
        let start = line.drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}

/// The reason why a text is not a key of the provider API. It continues a sentence that begins with the file's name.
public struct DeskKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault, and how to correct it.
    public let description: String

    /// - Parameter description: the reason, which continues a sentence that begins with the file's name.
    public init(_ description: String) { self.description = description }
}
