/// Encodes numbers as second differences modulo 2³²: the first number itself, then the difference between the first and the second
/// number, then differences of differences.
struct SecondDifferences {
    private var seen = 0
    private var value: Int32 = 0
    private var difference: Int32 = 0

    mutating func apply(_ next: Int32) -> Int32 {
        let first = next &- value
        let second = first &- difference
        value = next
        defer { seen = min(2, seen + 1) }
        if seen == 0 { return next }
        difference = first
        return seen == 1 ? first : second
    }

    mutating func undo(_ coded: Int32) -> Int32 {
        defer { seen = min(2, seen + 1) }
        if seen > 0 { difference = seen == 1 ? coded : difference &+ coded }
        value = seen == 0 ? coded : value &+ difference
        return value
    }
}

/// Maps signed numbers to small unsigned numbers: 0, −1, 1, −2, 2 … become 0, 1, 2, 3, 4 …
enum ZigZag {
    static func encode(_ value: Int32) -> UInt32 {
        UInt32(bitPattern: (value << 1) ^ (value >> 31))
    }

    static func decode(_ value: UInt32) -> Int32 {
        Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1)
    }
}

/// Interleaves the bits of two 32-bit numbers in a 64-bit number.
struct BitPair {
    var even: UInt32
    var odd: UInt32

    init(even: UInt32, odd: UInt32) {
        self.even = even
        self.odd = odd
    }

    init(interleaved: UInt64) {
        even = Self.gather(interleaved)
        odd = Self.gather(interleaved >> 1)
    }

    var interleaved: UInt64 { Self.spread(even) | Self.spread(odd) << 1 }

    private static func gather(_ bits: UInt64) -> UInt32 {
        var value = bits & 0x5555_5555_5555_5555
        value = (value | value >> 1) & 0x3333_3333_3333_3333
        value = (value | value >> 2) & 0x0f0f_0f0f_0f0f_0f0f
        value = (value | value >> 4) & 0x00ff_00ff_00ff_00ff
        value = (value | value >> 8) & 0x0000_ffff_0000_ffff
        return UInt32(truncatingIfNeeded: value | value >> 16)
    }

    private static func spread(_ bits: UInt32) -> UInt64 {
        var value = UInt64(bits)
        value = (value | value << 16) & 0x0000_ffff_0000_ffff
        value = (value | value << 8) & 0x00ff_00ff_00ff_00ff
        value = (value | value << 4) & 0x0f0f_0f0f_0f0f_0f0f
        value = (value | value << 2) & 0x3333_3333_3333_3333
        return (value | value << 1) & 0x5555_5555_5555_5555
    }
}
