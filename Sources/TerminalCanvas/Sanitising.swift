/// Makes text from outside the program safe to draw. Removes controls, directional and joining characters, variation selectors, tags and
/// noncharacters. A run of line breaks and tabs becomes one space, or is removed at the start or end of the text. A character keeps at most
/// two combining marks.
///
/// - Parameter maximumLength: the maximum number of Unicode scalars in the result. At most sixteen times this number of scalars is read.
public func sanitised(_ text: String, maximumLength: Int = 1_024) -> String {
    if TextSafety.isPlain(text), text.utf8.count <= maximumLength { return text }
    var kept = String.UnicodeScalarView()
    var length = 0
    var marks = 0
    var pendingSpace = false
    for scalar in text.unicodeScalars.prefix(max(0, min(maximumLength, 1 << 24)) * 16) {
        if TextSafety.isHarmful(scalar) {
            pendingSpace = pendingSpace || TextSafety.isBreak(scalar)
            continue
        }
        let isMark = TextWidth.width(of: scalar) == 0
        if isMark && (marks == 2 || length == 0) { continue }
        if pendingSpace && length > 0 && length < maximumLength {
            kept.append(" ")
            length += 1
        }
        guard length < maximumLength else { break }
        pendingSpace = false
        marks = isMark ? marks + 1 : 0
        kept.append(scalar)
        length += 1
    }
    return String(kept)
}
