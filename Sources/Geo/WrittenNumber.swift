extension Double {
    /// Maximum length of a text that is parsed, in bytes.
    private static let longestText = 64

    /// Parses a number in any usual notation: with spaces around it, a decimal comma, digits of another script or a true minus sign.
    package init?(written text: some StringProtocol) {
        if let number = Double(text) {
            self = number
            return
        }
        guard text.utf8.count <= Self.longestText, let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace }), let number = Double(Self.plain(text[first...last]))
        else { return nil }
        self = number
    }

    /// Returns the number in ASCII, with a decimal point. A comma becomes a point. Text with both a comma and a point keeps the
    /// comma, so it is not a valid number.
    private static func plain(_ text: some StringProtocol) -> String {
        let hasPoint = text.contains(".")
        var plain = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{2212}": plain += "-"
            case "\u{66B}": plain += "."
            case "," where !hasPoint: plain += "."
            default:
                if scalar.properties.numericType == .decimal, let digit = scalar.properties.numericValue {
                    plain += String(Int(digit))
                } else {
                    plain.unicodeScalars.append(scalar)
                }
            }
        }
        return plain
    }
}
