import BoundedJSON
public import FoundationEssentials

/// Reads the answer of a token source: JSON in a given format, or the token alone. Its error messages contain no part of the answer except
/// the names of JSON members.
public struct TokenAnswerReader: Hashable, Sendable {
    /// The names of the JSON members that hold the token and its expiry.
    public var format: TokenAnswerFormat
    /// The source's name as it follows "the" in messages, such as `token command` or `token URL https://…`.
    public var origin: String

    /// Creates a reader of answers in `format`. `origin` is the source's name as it follows "the" in messages.
    public init(format: TokenAnswerFormat = TokenAnswerFormat(), origin: String) {
        self.format = format
        self.origin = origin
    }

    /// Returns the token in a whole answer.
    /// - Parameter now: the time of the request, not of the answer. If the expiry is given in seconds from now, it is added to this time.
    /// - Throws: `AccessTokenError.missingData`.
    public func token(_ text: String, now: Date) throws(AccessTokenError) -> AccessToken {
        let core = text.trimmed
        switch core.utf8.first {
        case nil: throw .missingData("the \(origin) provided no token")
        case UInt8(ascii: "{"):
            guard let members = TokenJSON.members(Data(core.utf8)) else {
                throw .missingData("the \(origin) provided malformed JSON")
            }
            return try token(members, now: now)
        case UInt8(ascii: "<"): throw .missingData("the \(origin) provided HTML or XML instead of a token")
        case UInt8(ascii: "["): throw .missingData("the \(origin) provided a JSON array: it must provide a JSON object or the token alone")
        case UInt8(ascii: "\""):
            guard let secret = try? JSONDecoder().decodeBounded(String.self, from: Data(core.utf8)) else { fallthrough }
            return try .checked(secret, origin: origin)
        default:
            guard !core.utf8.contains(where: "{}<>\"\\".utf8.contains) else {
                throw .missingData("the \(origin) provided neither JSON nor a token")
            }
            return try .checked(core, origin: origin)
        }
    }

    /// Returns the token in a command's output. Only the JSON object or the line at the end of the output is read.
    public func token(printed text: String, now: Date) throws(AccessTokenError) -> AccessToken {
        let core = text.trimmed
        if core.utf8.first == UInt8(ascii: "{"), let members = TokenJSON.members(Data(core.utf8)) { return try token(members, now: now) }
        let lines = core.split(whereSeparator: \.isNewline)
        guard let last = lines.last else { throw .missingData("the \(origin) printed nothing") }
        if last.trimmed == "}", let start = lines.lastIndex(where: { $0.hasPrefix("{") }) {
            return try token(lines[start...].joined(separator: "\n"), now: now)
        }
        return try token(String(last), now: now)
    }

    private func token(_ members: [String: TokenJSON], now: Date) throws(AccessTokenError) -> AccessToken {
        guard let value = members[format.tokenKey] else { throw .missingData(missing(format.tokenKey, members)) }
        guard let text = value.text else {
            throw .missingData("the \(origin) provided JSON in which \"\(shown(format.tokenKey))\" is not a string")
        }
        let token = try AccessToken.checked(text, origin: origin)
        guard let key = format.expiryKey else { return token }
        guard let value = members[key] else {
            // A JSON Web Token contains its own expiry, so the JSON member is not needed.
            if token.expiresAt != nil { return token }
            throw .missingData(missing(key, members))
        }
        guard let number = value.number, let expiry = moment(number, now: now) else {
            throw .missingData("the \(origin) provided JSON in which \"\(shown(key))\" is not a time")
        }
        return AccessToken(secret: token.secret, expiresAt: token.expiresAt.map { min($0, expiry) } ?? expiry)
    }

    private func moment(_ number: Double, now: Date) -> Date? {
        guard number.isFinite, number >= 0 else { return nil }
        switch format.expiry {
        case .absoluteSeconds: return Date(tokenSeconds: number)
        case .absoluteMilliseconds: return Date(tokenSeconds: number / 1_000)
        case .relativeSeconds: return Date(tokenSeconds: now.timeIntervalSince1970 + number)
        case .guessed where number < 1e8: return Date(tokenSeconds: now.timeIntervalSince1970 + number)
        case .guessed where number < 1e11: return Date(tokenSeconds: number)
        case .guessed: return Date(tokenSeconds: number / 1_000)
        }
    }

    private func missing(_ key: String, _ members: [String: TokenJSON]) -> String {
        let known = members.keys.sorted().prefix(6).map(shown).joined(separator: ", ")
        let what = known.isEmpty ? "is empty" : "has \(known)\(members.count > 6 ? " and more" : "")"
        return "the \(origin) provided JSON without \"\(shown(key))\"; the JSON \(what)"
    }

    /// Returns the name of a member, or "…" if it could be a secret.
    private func shown(_ key: String) -> String {
        let isPlain = key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
        return isPlain && (1...31).contains(key.utf8.count) ? key : "…"
    }
}

extension StringProtocol {
    /// The text without the white space and the byte order marks around it.
    fileprivate var trimmed: String {
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace || scalar == "\u{FEFF}" }
        let head = unicodeScalars.drop(while: isSpace)
        let end = head.lastIndex { !isSpace($0) }.map(head.index(after:)) ?? head.startIndex
        return String(String.UnicodeScalarView(head[head.startIndex..<end]))
    }
}
