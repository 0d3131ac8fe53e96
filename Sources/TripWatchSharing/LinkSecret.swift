import Geo

/// The secret part of a link's address: 128 random bits as 22 characters of base64url.
package struct LinkSecret: Hashable, Sendable {
    /// Number of characters in a secret.
    package static let length = 22
    private let letters: [UInt8]

    /// Creates a secret from the system's random number generator.
    package init() {
        var random = SystemRandomNumberGenerator()
        let words: [UInt64] = [random.next(), random.next()]
        let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
        letters = Array(URLSafeBase64.encode(bytes, isPadded: false).utf8)
    }

    package var text: String { String(decoding: letters, as: UTF8.self) }

    /// Returns the index of the secret that is equal to the text; nil if no secret is equal to it.
    ///
    /// Every secret is compared in full, so the duration does not reveal how many characters match.
    package static func place(of text: Substring, among secrets: [LinkSecret]) -> Int? {
        var given = Array(text.utf8.prefix(length + 1))
        let isWhole: UInt8 = given.count == length ? 0 : 1
        given += Array(repeating: 0, count: length + 1 - given.count)
        var found = -1
        for (index, secret) in secrets.enumerated() {
            let difference = zip(given, secret.letters).reduce(isWhole) { $0 | ($1.0 ^ $1.1) }
            if difference == 0 { found = index }
        }
        return found < 0 ? nil : found
    }
}
