/// Cuts a stream into its lines, which end with CR, LF or both. Empty lines are left out, and so is what is longer than it may be.
struct LineSplitter: Sendable {
    private let longestBytes: Int
    private var rest: [UInt8] = []
    private var isTooLong = false
    /// How many lines were too long.
    private(set) var overlongCount = 0

    init(longestBytes: Int) { self.longestBytes = longestBytes }

    mutating func add(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == 0x0A || byte == 0x0D {
                if isTooLong { overlongCount += 1 } else if !rest.isEmpty { lines.append(rest) }
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

    /// - Returns: what stands behind the last line's end; nil for nothing.
    mutating func finish() -> [UInt8]? {
        defer { rest = [] }
        return rest.isEmpty || isTooLong ? nil : rest
    }
}
