/// Ways from one rendition to another that were gone before, with the bytes that went: a map has few of them, and goes each again and again.
struct RenditionMemory {
    private typealias Setting = Rendition.Setting

    /// A way that was gone.
    private struct Entry {
        /// What went, and zeros after it.
        var bytes = SIMD32<UInt8>()
        var from = Setting(foreground: 0, background: 0, attributes: 0)
        var to = Setting(foreground: 0, background: 0, attributes: 0)
        var style: UInt16 = 0
        /// How many bytes went; ``unused`` where there is no way.
        var count = RenditionMemory.unused
    }

    private static let entries = 512
    private static let unused = UInt8.max

    private var table = Array(repeating: Entry(), count: RenditionMemory.entries)

    /// Goes the way to a style from what stands, where it is known.
    ///
    /// - Returns: what stands then, `nil` where the way is not known.
    func go(from: Rendition.Setting, to style: UInt16, _ output: inout ByteSink) -> Rendition.Setting? {
        let place = Self.place(from, style)
        return table.withUnsafeBufferPointer { table in
            guard table[place].style == style, table[place].count != Self.unused, table[place].from == from else { return nil }
            output.append(table[place].bytes, count: Int(table[place].count))
            return table[place].to
        }
    }

    /// Remembers what went on the way. Longer ones than there is room for, which are rare, are found anew.
    mutating func keep(from: Rendition.Setting, style: UInt16, to: Rendition.Setting, sent: UnsafeBufferPointer<UInt8>.SubSequence) {
        var entry = Entry(from: from, to: to, style: style, count: UInt8(clamping: sent.count))
        guard sent.count <= entry.bytes.scalarCount else { return }
        for (offset, byte) in sent.enumerated() { entry.bytes[offset] = byte }
        table[Self.place(from, style)] = entry
    }

    private static func place(_ from: Rendition.Setting, _ style: UInt16) -> Int {
        let colors = UInt32(truncatingIfNeeded: from.foreground) &* 0x9e37_79b1 ^ UInt32(truncatingIfNeeded: from.background) &* 0x85eb_ca6b
        return Int((colors ^ UInt32(from.attributes) << 24 ^ UInt32(style) &* 0xc2b2_ae35) >> 23)
    }
}
