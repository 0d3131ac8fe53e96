extension Double {
    /// Longest text that is read, bytes.
    private static let longestText = 64

    /// A number in any usual notation: with spaces around it, a decimal comma, digits of another script or a true minus sign.
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

    /// The number in ASCII, with a decimal point. In a text with a point, commas separate thousands and are kept, so that it is not read as
    /// a number.
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
