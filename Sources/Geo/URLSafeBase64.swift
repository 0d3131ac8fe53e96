/// Base64 with `-` and `_` (RFC 4648 section 5), for S2 polylines, tokens, keys and the secrets of links.
public enum URLSafeBase64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let padding = UInt8(ascii: "=")

    /// - Parameter isPadded: whether the last group is padded with `=` to four characters.
    public static func encode(_ bytes: [UInt8], isPadded: Bool = true) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for position in 0..<4 {
                let digit = Int(bits >> UInt32(18 - 6 * position) & 0x3f)
                if position <= group.count { text.append(alphabet[digit]) } else if isPadded { text.append(padding) }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes text to bytes, with or without padding. The alphabet of plain base64 is also accepted.
    ///
    /// - Throws: `invalidPadding` or `invalidCharacter`.
    public static func decode(_ text: String) throws(PolylineError) -> [UInt8] {
        var digits = Array(text.utf8)
        if digits.last == padding {
            guard digits.count % 4 == 0 else { throw .invalidPadding }
            digits.removeLast()
            if digits.last == padding { digits.removeLast() }
        }
        guard digits.count % 4 != 1 else { throw .invalidPadding }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        for (offset, digit) in digits.enumerated() {
            guard let value = value(ofDigit: digit) else { throw .invalidCharacter(offset: offset) }
            bits = bits << 6 | value
            switch offset % 4 {
            case 1: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
            case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
            case 3: bytes.append(UInt8(truncatingIfNeeded: bits))
            default: break
            }
        }
        return bytes
    }

    private static func value(ofDigit digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
