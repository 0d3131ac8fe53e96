import CQRCode

/// A QR code as lines of text. Each character represents two modules, one above the other.
package struct QRCode: Hashable, Sendable {
    /// The width of the light margin, in modules. Cameras need the margin to find the code.
    private static let quietModules = 4

    private let width: Int
    private let modules: [UInt8]

    /// Creates the code for a text; nil if the text is empty, contains a zero byte or is too long.
    package init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        let room = CQRCODE_LARGEST_WIDTH * CQRCODE_LARGEST_WIDTH
        var width = 0
        modules = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            width = text.withCString { cqrcode_encode($0, start, room) }
            count = width * width
        }
        guard width > 0 else { return nil }
        self.width = width
    }

    /// The number of characters in a line.
    package var columns: Int { width + 2 * Self.quietModules }
    /// The number of lines.
    package var rows: Int { (columns + 1) / 2 }

    /// - Parameter inColour: whether to print black on white. Otherwise, only the light modules are drawn, for a dark terminal.
    package func lines(inColour: Bool) -> [String] {
        let blocks = blocks(drawsDark: inColour)
        return inColour ? blocks.map { "\u{1b}[30;107m\($0)\u{1b}[0m" } : blocks
    }

    /// Returns the lines without colours.
    /// - Parameter drawsDark: whether to draw the dark modules, for a light background; otherwise the light modules are drawn.
    package func blocks(drawsDark: Bool) -> [String] {
        (0..<rows).map { row in
            (0..<columns).map { column in
                let upper = isDark(column, 2 * row), lower = isDark(column, 2 * row + 1)
                return Self.block(upper: upper == drawsDark, lower: lower == drawsDark)
            }.joined()
        }
    }

    private func isDark(_ column: Int, _ row: Int) -> Bool {
        let (x, y) = (column - Self.quietModules, row - Self.quietModules)
        guard (0..<width).contains(x), (0..<width).contains(y) else { return false }
        return modules[y * width + x] == 1
    }

    private static func block(upper: Bool, lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
