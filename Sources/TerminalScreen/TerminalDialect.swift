import TerminalCanvas

/// What a terminal is sent for colours and attributes, and what its cursor does, as its terminfo entry has it.
struct TerminalDialect {
    /// A sequence of the terminal's.
    enum Piece: Equatable {
        /// What stands between `ESC [` and `m`, so that several become one sequence.
        case rendition([UInt8])
        /// Something else, sent as it is.
        case plain([UInt8])
    }

    /// What ends all attributes and colours.
    var reset: [Piece]
    /// What ends both colours, or one of them; a missing one takes ``reset``.
    var defaultForeground: Piece?
    var defaultBackground: Piece?
    /// What begins each attribute, by its bit; what is missing the terminal does not have.
    var begins: [Piece?]
    /// What ends each attribute alone, by its bit; what is missing takes ``reset``.
    var ends: [Piece?]
    /// Attributes that cannot stand beside a colour (terminfo's `ncv`).
    var withoutColor: Attributes
    /// Whether colours can be had the other way round, with reverse video, wherever that is shorter.
    var mayReverse: Bool
    /// Whether what is erased gets the background (`bce`).
    var erasesWithBackground: Bool
    /// Whether the cursor moves while attributes are on (`msgr`).
    var movesWithAttributes: Bool
    var wrap: Wrap
    /// What clears the screen.
    var clear: [UInt8]

    /// Where the cursor is after a character in the last column.
    enum Wrap {
        /// Not known, until it is put somewhere (`xenl`).
        case pending
        /// At the beginning of the next row (`am`).
        case next
        /// Where it was.
        case none
    }

    /// Whether the cursor can be taken to the right, over what is there, in the way of ECMA-48.
    var stepsRight: Bool
    /// Whether the last cell of the screen is written a column further left and moved there by an insertion.
    var insertsLastCell: Bool

    /// The capabilities of the entry that ncurses has open.
    struct Capabilities {
        var string: (String) -> [UInt8]
        var hasFlag: (String) -> Bool
        var number: (String) -> Int
    }

    /// - Parameter depth: the colours that are used.
    init(_ capabilities: Capabilities, depth: ColorDepth) {
        let string = capabilities.string
        func piece(_ name: String) -> Piece? {
            let bytes = string(name)
            return bytes.isEmpty ? nil : Piece(bytes)
        }
        // With 256 colours and more comes all of ECMA-48.
        let isModern = depth == .palette256 || depth == .direct
        let hasPlainAttributes = capabilities.number("xmc") <= 0 && !capabilities.hasFlag("xhp")
        begins = ["bold", "dim", "smul", "rev", "sitm", "blink"].map { hasPlainAttributes ? piece($0) : nil }
        var ends: [Piece?] = [nil, nil, piece("rmul"), string("smso") == string("rev") ? piece("rmso") : nil, piece("ritm"), nil]
        if isModern { (ends[2], ends[3], ends[4]) = (.rendition("24"), .rendition("27"), .rendition("23")) }
        // What ends everything is no way to end one.
        let everything = Piece.rendition("0")
        self.ends = ends.map { end in end == .rendition("") || end == everything ? nil : end }
        let defaults = piece("op")
        let hasBoth = defaults == .rendition("39;49")
        (defaultForeground, defaultBackground) = hasBoth ? (.rendition("39"), .rendition("49")) : (nil, nil)
        let attributes = piece("sgr0").map { Piece.renditionAlone(in: $0) } ?? []
        reset = attributes + (hasBoth && !attributes.isEmpty ? [] : [defaults].compactMap { $0 })
        let clashes = max(0, capabilities.number("ncv"))
        let bits: [(Int, Attributes)] = [(2, .underline), (4, .reverse), (8, .blink), (16, .dim), (32, .bold), (32_768, .italic)]
        withoutColor = Attributes(bits.filter { clashes & $0.0 != 0 }.map(\.1))
        mayReverse = isModern && begins[3] != nil && ends[3] != nil && !withoutColor.contains(.reverse)
        erasesWithBackground = capabilities.hasFlag("bce")
        movesWithAttributes = capabilities.hasFlag("msgr")
        let wraps = capabilities.hasFlag("am")
        wrap = !wraps ? .none : capabilities.hasFlag("xenl") ? .pending : .next
        clear = string("clear")
        stepsRight = movesWithAttributes && string("cuf") == Array("\u{1b}[%p1%dC".utf8)
        insertsLastCell = wraps && (string("rmam").isEmpty || string("smam").isEmpty)
    }

    /// The attributes that the terminal has.
    var attributes: Attributes {
        Attributes(rawValue: begins.indices.reduce(0) { begins[$1] == nil ? $0 : $0 | 1 << UInt8($1) })
    }
}

extension TerminalDialect.Piece {
    init(_ bytes: [UInt8]) {
        let inner = bytes.dropFirst(2).dropLast()
        let isRendition =
            bytes.count > 2 && bytes.starts(with: [0x1b, 0x5b]) && bytes.last == 0x6d
            && inner.allSatisfy { $0 >= 0x30 && $0 <= 0x3b }
        self = isRendition ? .rendition(Array(inner)) : .plain(bytes)
    }

    static func rendition(_ text: String) -> Self { .rendition(Array(text.utf8)) }

    /// Of a piece that ends all attributes what does that: beside it stands often what chooses a character set, and nobody changes that.
    static func renditionAlone(in piece: Self) -> [Self] {
        guard case .plain(let bytes) = piece else { return [piece] }
        for start in bytes.indices where bytes[start...].starts(with: [0x1b, 0x5b]) {
            guard let end = bytes[start...].firstIndex(of: 0x6d) else { continue }
            let part = Self(Array(bytes[start...end]))
            if case .rendition = part { return [part] }
        }
        return [piece]
    }
}

/// The bytes of many pieces, one after the other.
struct PieceStore {
    /// Where a piece stands.
    struct Span {
        var start: Int32 = 0
        var count: Int32 = 0
        var isRendition = false
        /// Whether there is such a piece.
        var exists = false
    }

    private(set) var bytes: [UInt8] = []

    mutating func span(_ piece: TerminalDialect.Piece?) -> Span {
        guard let piece else { return Span() }
        let (more, isRendition) =
            switch piece {
            case .rendition(let bytes): (bytes.isEmpty ? [0x30] : bytes, true)
            case .plain(let bytes): (bytes, false)
            }
        let start = Int32(truncatingIfNeeded: bytes.count)
        bytes += more
        return Span(start: start, count: Int32(truncatingIfNeeded: more.count), isRendition: isRendition, exists: true)
    }
}
