/// The content of one cell: a base character and up to two combining marks, 21 bits each.
///
/// A glyph never contains a character that would move the cursor or start a control sequence. If the base is a control, an invisible
/// formatting character (see ``sanitised(_:maximumLength:)``) or a mark, it becomes a space. Only combining marks are kept
/// as marks.
@frozen
public struct Glyph: Hashable, Sendable {
    /// The characters: bits 0 to 20 hold the base, 21 to 41 the first mark, 42 to 62 the second. 0 means no mark.
    @usableFromInline let bits: UInt64

    @inlinable
    init(bits: UInt64) {
        self.bits = bits
    }

    /// Creates a glyph with a single character, without marks.
    @inlinable
    public init(_ base: Unicode.Scalar) {
        let value = base.value
        if value >= 0x20 && value < 0x7f || value >= 0x2800 && value < 0x2900 {
            bits = UInt64(value)
        } else {
            bits = Glyph.safeBits(base)
        }
    }

    /// Creates a glyph with a base character and combining marks. Marks after the second are left out.
    public init(_ base: Unicode.Scalar, combining marks: Unicode.Scalar...) {
        var glyph = Glyph(base)
        for mark in marks { glyph = glyph.adding(mark) }
        self = glyph
    }

    /// A blank glyph.
    public static let space = Glyph(bits: 0x20)

    @usableFromInline
    static func safeBits(_ base: Unicode.Scalar) -> UInt64 {
        TextSafety.isHarmful(base) || TextWidth.width(of: base) == 0 ? 0x20 : UInt64(base.value)
    }

    /// Returns this glyph with one more combining mark. The glyph does not change if it has two marks already, or if the character is not a
    /// mark. Variation selectors and other marks that are never sent to a terminal do not change it either.
    public func adding(_ mark: Unicode.Scalar) -> Glyph {
        guard TextWidth.width(of: mark) == 0, !TextSafety.isHarmful(mark) else { return self }
        if bits >> 21 == 0 { return Glyph(bits: bits | UInt64(mark.value) << 21) }
        if bits >> 42 == 0 { return Glyph(bits: bits | UInt64(mark.value) << 42) }
        return self
    }

    /// The base character.
    @inlinable
    public var base: Unicode.Scalar {
        Unicode.Scalar(UInt32(truncatingIfNeeded: bits & 0x1f_ffff)) ?? " "
    }

    /// The base character and its marks, one to three scalars in all.
    public var scalars: [Unicode.Scalar] {
        var all = [base]
        for shift in [UInt64(21), 42] {
            let value = UInt32(truncatingIfNeeded: bits >> shift & 0x1f_ffff)
            if value != 0, let mark = Unicode.Scalar(value) { all.append(mark) }
        }
        return all
    }

    /// Whether the glyph has no marks.
    @inlinable
    public var isSingleScalar: Bool { bits >> 21 == 0 }

    /// Whether the glyph is invisible: a space, a no-break space or a blank Braille pattern, without marks.
    @inlinable
    public var isBlank: Bool { bits == 0x20 || bits == 0xa0 || bits == 0x2800 }
}
