/// Makes text from files safe to print in a terminal.
package enum PlainText {
    /// Largest number of Unicode scalars in a text, not counting spaces; a longer text is cut.
    static let maximumLength = 200

    /// Returns the text as one line without control characters. Each run of white space becomes a single space. Characters that move the
    /// cursor, hide text or change its direction are left out.
    package static func line(_ text: String) -> String {
        var line = ""
        var length = 0
        var isBlankDue = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                isBlankDue = length > 0
                continue
            }
            guard !isHarmful(scalar) else { continue }
            guard length < maximumLength else { return line + "…" }
            if isBlankDue { line.unicodeScalars.append(" ") }
            isBlankDue = false
            line.unicodeScalars.append(scalar)
            length += 1
        }
        return line
    }

    /// Returns the text of an HTML fragment as one line. Tags, comments, scripts and styles are left out, and character references are
    /// resolved.
    package static func line(fromHTML html: String) -> String {
        var text = String.UnicodeScalarView()
        // The markup may be much longer than the text, but only a limited length is read.
        var rest = html.unicodeScalars.prefix(maximumLength * 100)
        while let first = rest.first {
            switch first {
            case "<": skipTag(&rest, text: &text)
            case "&": readReference(&rest, text: &text)
            default:
                text.append(first)
                rest = rest.dropFirst()
            }
        }
        return line(String(text))
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

// MARK: - HTML

extension PlainText {
    private typealias Scalars = Substring.UnicodeScalarView

    /// Tags that separate words.
    private static let partingTags: Set<String> = ["br", "p", "div", "li", "ul", "ol", "td", "tr", "hr"]

    /// Skips a tag. A "<" that does not begin a tag is an ordinary character. Text after an unclosed tag is dropped, as in browsers.
    private static func skipTag(_ rest: inout Scalars, text: inout String.UnicodeScalarView) {
        let body = rest.dropFirst()
        guard let next = body.first, next.properties.isAlphabetic || "/!?".unicodeScalars.contains(next) else {
            text.append("<")
            rest = body
            return
        }
        if body.starts(with: "!--".unicodeScalars) {
            rest = after("-->", in: body)
            return
        }
        let name = String(Substring(body.drop { $0 == "/" }.prefix { $0.properties.isAlphabetic || ("0"..."9").contains($0) }))
            .lowercased()
        rest = afterTag(body)
        if partingTags.contains(name) { text.append(" ") }
        if next != "/", name == "script" || name == "style" { rest = afterTag(after("</" + name, in: rest)) }
    }

    /// Returns the text after the ">" that ends a tag. A ">" inside quotes does not end it.
    private static func afterTag(_ body: Scalars) -> Scalars {
        var quote: Unicode.Scalar?
        for index in body.indices {
            let scalar = body[index]
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
            } else if scalar == ">" {
                return body[index...].dropFirst()
            }
        }
        return body.suffix(0)
    }

    /// Returns the text after the first occurrence of `words`, ignoring case; empty if the words do not occur.
    private static func after(_ words: String, in text: Scalars) -> Scalars {
        var rest = text
        while !rest.isEmpty {
            let start = rest.prefix(words.unicodeScalars.count)
            if start.elementsEqual(words.unicodeScalars, by: { $0.properties.lowercaseMapping == String($1) }) {
                return rest[start.endIndex...]
            }
            rest = rest.dropFirst()
        }
        return rest
    }

    private static let namedReferences: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©", "reg": "®", "trade": "™", "middot": "·",
        "bull": "•", "ndash": "–", "mdash": "—", "hellip": "…", "laquo": "«", "raquo": "»",
    ]

    /// Reads a character reference at the start. An unknown reference is copied unchanged.
    private static func readReference(_ rest: inout Scalars, text: inout String.UnicodeScalarView) {
        let body = rest.dropFirst()
        let name = String(Substring(body.prefix(10).prefix { $0 != ";" }))
        let after = body.dropFirst(name.unicodeScalars.count)
        guard after.first == ";", let scalar = scalar(named: name) else {
            text.append("&")
            rest = body
            return
        }
        text.append(scalar)
        rest = after.dropFirst()
    }

    private static func scalar(named name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return namedReferences[name] }
        let digits = name.dropFirst()
        let number = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init)
    }
}
