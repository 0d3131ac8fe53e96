public import TerminalCanvas

/// Compares a screen with the expected screen, row by row.
public enum ScreenComparison {
    /// Returns the differences between two screens as text. Each row that differs is listed as expected (`-`) and as found (`+`),
    /// with its number from 1.
    ///
    /// Spaces at the end of a row, and blank rows at the end of a screen, are ignored.
    /// - Returns: nil for equal screens.
    public static func difference(from expected: String, to actual: String) -> String? {
        let (expected, actual) = (rows(expected), rows(actual))
        let lines = (0..<max(expected.count, actual.count)).flatMap { index -> [String] in
            let (wanted, found) = (row(expected, index), row(actual, index))
            return wanted == found ? [] : ["\(index + 1) - \(wanted)", "\(index + 1) + \(found)"]
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Returns the differences between a canvas and the expected text. Colours are ignored.
    public static func difference(from expected: String, to canvas: Canvas) -> String? { difference(from: expected, to: canvas.text()) }

    private static func rows(_ text: String) -> [String] {
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return String(line)
        }
        while rows.last?.isEmpty == true { rows.removeLast() }
        return rows
    }

    private static func row(_ rows: [String], _ index: Int) -> String { rows.indices.contains(index) ? rows[index] : "" }
}
