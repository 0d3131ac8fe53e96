import TerminalCanvas

/// Numbers for the styles of cells, and what each is to the terminal.
struct StyleTable {
    /// What is to be seen of a style. Colours are numbers of ``Swatch``es.
    struct Look: Hashable {
        /// ``anything`` for blanks, which show none.
        var foreground: Int32
        var background: Int32
        var attributes: UInt8
        /// A blank of which nothing but its background is seen.
        var isBlank = false
        /// A blank that must be written where others may be erased.
        var mustBeWritten = false

        static let anything: Int32 = -1

        /// Whether ncurses may erase such blanks.
        var isErasable: Bool { isBlank && !mustBeWritten }
    }

    /// What sets a colour.
    struct Swatch {
        var foreground: PieceStore.Span
        var background: PieceStore.Span
    }

    /// The swatch of the terminal's own colours.
    static let terminals: Int32 = 0
    /// More styles than any picture has.
    static let limit = 1 << 15

    private let depth: ColorDepth
    private let attributes: Attributes
    private let withoutColor: Attributes
    private let erasesWithBackground: Bool
    /// The pieces for a colour, foreground and background; nil for the terminal's own.
    private let pieces: (Color) -> (foreground: TerminalDialect.Piece, background: TerminalDialect.Piece)?
    private(set) var looks: [Look] = []
    /// What ncurses takes for the colour pair of erased places, by the number of their style. Small numbers are cheaper for it.
    private(set) var pairs: [UInt16] = []
    private var erasables: UInt16 = 0
    private(set) var swatches: [Swatch] = []
    var store = PieceStore()
    private var numbers: [Look: Int32] = [:]
    private var swatchNumbers: [Color: Int32] = [:]
    /// Numbers by the styles of the canvas, so that nothing has to be reduced twice.
    private var known: [Key: Int32] = [:]
    private var recent: [(key: Key, number: Int32)]
    private var last: (key: Key, number: Int32)

    /// A style and whether a blank has it.
    private struct Key: Hashable {
        private let code: UInt64

        init(style: Style, isBlank: Bool) { code = style.code | (isBlank ? 1 << 63 : 0) }

        /// Its place among the ``recent`` ones.
        var place: Int { Int((code &* 0x9e37_79b9_7f4a_7c15) >> 56) }
    }

    init(
        dialect: TerminalDialect, depth: ColorDepth,
        pieces: @escaping (Color) -> (foreground: TerminalDialect.Piece, background: TerminalDialect.Piece)?
    ) {
        self.depth = depth
        attributes = dialect.attributes
        withoutColor = dialect.withoutColor
        erasesWithBackground = dialect.erasesWithBackground
        self.pieces = pieces
        last = (Key(style: .plain, isBlank: true), 0)
        recent = Array(repeating: last, count: 256)
        swatches = [Swatch(foreground: store.span(dialect.defaultForeground), background: store.span(dialect.defaultBackground))]
        // Number 0 is the blank that a cleared screen is full of.
        _ = number(of: Look(foreground: Look.anything, background: StyleTable.terminals, attributes: 0, isBlank: true))
    }

    var isFull: Bool { looks.count > StyleTable.limit }

    /// The number of a cell's style.
    mutating func number(of style: Style, isBlank: Bool) -> Int32 {
        let key = Key(style: style, isBlank: isBlank)
        if key == last.key { return last.number }
        let found = lookUp(key, style, isBlank: isBlank)
        last = (key, found)
        return found
    }

    private mutating func lookUp(_ key: Key, _ style: Style, isBlank: Bool) -> Int32 {
        let place = key.place
        if recent[place].key == key { return recent[place].number }
        let number = known[key] ?? number(of: look(of: style, isBlank: isBlank))
        known[key] = number
        recent[place] = (key, number)
        return number
    }

    private mutating func number(of look: Look) -> Int32 {
        if let number = numbers[look] { return number }
        let number = Int32(truncatingIfNeeded: looks.count)
        numbers[look] = number
        looks.append(look)
        pairs.append(erasables)
        // The first one is that of a cleared screen, whose pair is 0. Of styles there are not as many as there are numbers for pairs.
        if look.isErasable { erasables &+= 1 }
        return number
    }

    // MARK: What is seen

    private mutating func look(of style: Style, isBlank: Bool) -> Look {
        let reduced = style.reduced(to: depth)
        var look = Look(foreground: swatch(reduced.foreground), background: swatch(reduced.background), attributes: 0)
        var attributes = reduced.attributes.intersection(self.attributes)
        if look.foreground != StyleTable.terminals || look.background != StyleTable.terminals {
            if attributes.contains(.reverse), withoutColor.contains(.reverse) { look.exchange() }
            attributes.subtract(withoutColor)
        }
        // Reverse video is for what cannot be had otherwise: the terminal's own colour in the other one's place. Bold and dim change what is
        // the foreground before it is exchanged.
        let isBoth = look.foreground != StyleTable.terminals && look.background != StyleTable.terminals
        let isSeen = look.foreground != StyleTable.terminals && isBlank && !attributes.contains(.underline)
        if attributes.isDisjoint(with: [.bold, .dim]), attributes.contains(.reverse), isBoth || isSeen {
            look.exchange()
            attributes.remove(.reverse)
        }
        look.attributes = attributes.rawValue
        return isBlank ? blank(look, attributes) : look
    }

    private func blank(_ look: Look, _ attributes: Attributes) -> Look {
        var look = look
        if attributes.isDisjoint(with: [.reverse, .underline]) {
            look.foreground = Look.anything
            look.attributes = 0
            look.isBlank = true
            look.mustBeWritten = look.background != StyleTable.terminals && !erasesWithBackground
        } else {
            look.mustBeWritten = true
        }
        return look
    }

    private mutating func swatch(_ color: Color) -> Int32 {
        if let swatch = swatchNumbers[color] { return swatch }
        guard let made = pieces(color) else { return StyleTable.terminals }
        swatches.append(Swatch(foreground: store.span(made.foreground), background: store.span(made.background)))
        let swatch = Int32(truncatingIfNeeded: swatches.count - 1)
        swatchNumbers[color] = swatch
        return swatch
    }
}

extension StyleTable.Look {
    fileprivate mutating func exchange() {
        (foreground, background) = (background, foreground)
    }
}
