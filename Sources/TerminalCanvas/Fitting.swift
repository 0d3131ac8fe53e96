/// The alignment of a text within its columns.
public enum TextAlignment: Sendable {
    /// At the left edge, in the middle, or at the right edge.
    case left, centre, right
}

/// Returns the text, cut to at most `columns` cells. An ellipsis replaces the part that is cut off.
///
/// Wide characters are never split, and combining marks stay with their character. The text is made safe first
/// (``sanitised(_:maximumLength:)``).
public func fitted(_ text: String, columns: Int, ellipsis: String = "…") -> String {
    guard columns > 0 else { return "" }
    let room = min(columns, Canvas.largestDimension)
    let clean = sanitised(text, maximumLength: room * 3 + 8)
    if displayWidth(clean) <= room { return clean }
    let mark = prefix(of: sanitised(ellipsis), columns: room)
    var kept = prefix(of: clean, columns: room - displayWidth(mark))
    while kept.unicodeScalars.last == " " { kept.unicodeScalars.removeLast() }
    return kept + mark
}

/// Returns a text of exactly `columns` cells: cuts it as ``fitted(_:columns:ellipsis:)`` does, or pads it with spaces.
public func padded(_ text: String, columns: Int, alignment: TextAlignment = .left, ellipsis: String = "…") -> String {
    let content = fitted(text, columns: columns, ellipsis: ellipsis)
    let missing = max(0, min(columns, Canvas.largestDimension) - displayWidth(content))
    let before =
        switch alignment {
        case .left: 0
        case .centre: missing / 2
        case .right: missing
        }
    return String(repeating: " ", count: before) + content + String(repeating: " ", count: missing - before)
}

/// Returns the longest prefix of a text that fits into `columns` cells.
private func prefix(of text: String, columns: Int) -> String {
    var kept = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
        used += TextWidth.width(of: scalar)
        guard used <= columns else { break }
        kept.append(scalar)
    }
    return String(kept)
}

/// Breaks a text at spaces into lines of at most `columns` cells. A word that is longer than a line is split.
///
/// - Parameter maximumLines: the maximum number of lines. If more lines are needed, the last one ends in an ellipsis.
public func wrapped(_ text: String, columns: Int, maximumLines: Int = 100, ellipsis: String = "…") -> [String] {
    guard columns > 0, maximumLines > 0 else { return [] }
    var words = sanitised(text, maximumLength: 8_192).split(separator: " ").map(String.init)[...]
    var lines: [String] = []
    while var line = words.popFirst() {
        if lines.count == maximumLines - 1 {
            lines.append(fitted(([line] + words).joined(separator: " "), columns: columns, ellipsis: ellipsis))
            return lines
        }
        var width = displayWidth(line)
        while let next = words.first {
            let wider = width + 1 + displayWidth(next)
            guard wider <= columns else { break }
            line += " " + next
            width = wider
            words.removeFirst()
        }
        if width > columns {
            let head = prefix(of: line, columns: columns)
            guard !head.isEmpty else { continue }
            words.insert(String(line.unicodeScalars.dropFirst(head.unicodeScalars.count)), at: words.startIndex)
            line = head
        }
        lines.append(line)
    }
    return lines
}
