/// Splits a stream into lines, which end with CR, LF or both. Empty lines and lines over `longestBytes` are left out.
package struct LineSplitter: Sendable {
    private let longestBytes: Int
    private var rest: [UInt8] = []
    private var isTooLong = false
    /// Number of lines that were too long.
    private(set) var overlongCount = 0
    /// Number of overlong lines since the last accepted line.
    private(set) var overlongRun = 0

    package init(longestBytes: Int) { self.longestBytes = longestBytes }

    package mutating func add(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == 0x0A || byte == 0x0D {
                if isTooLong {
                    overlongCount += 1
                    overlongRun += 1
                } else if !rest.isEmpty {
                    lines.append(rest)
                    overlongRun = 0
                }
                rest = []
                isTooLong = false
            } else if rest.count < longestBytes {
                rest.append(byte)
            } else {
                isTooLong = true
            }
        }
        return lines
    }

    /// - Returns: the text after the last line break; nil if the text is empty or too long.
    package mutating func finish() -> [UInt8]? {
        defer { rest = [] }
        return rest.isEmpty || isTooLong ? nil : rest
    }
}
