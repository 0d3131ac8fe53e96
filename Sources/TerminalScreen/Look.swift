import TerminalCanvas

/// A cell's style in the form in which it is passed to ncurses.
struct Look: Hashable {
    var colors = ColorPair.terminals
    var attributes: Attributes = []

    /// The number of the colour of a blank in this look. `nil` if the blank is underlined, or if it is in reverse video with the terminal's
    /// own text colour, which has no number as a background.
    var blankColor: Int32? {
        if attributes.contains(.underline) { return nil }
        guard attributes.contains(.reverse) else { return colors.background }
        return colors.foreground == -1 ? nil : colors.foreground
    }

    /// Whether a blank with this look appears the same as any other blank with the same background.
    var suitsBlanks: Bool {
        // Reverse video uses the foreground colour for the background. Bold and dim change that colour.
        attributes.contains(.reverse) ? attributes == .reverse : !attributes.contains(.blink)
    }
}

/// Converts styles to the form that is passed to ncurses.
struct LookTable {
    private let depth: ColorDepth
    private let numbersDirectly: Bool
    private var looks: [Style: Look] = [:]
    private var last = (style: Style.plain, look: Look())

    private static let limit = 1 << 15

    /// - Parameter numbersDirectly: whether the number of a colour is its RGB value. Otherwise it is a palette index.
    init(depth: ColorDepth, numbersDirectly: Bool) {
        self.depth = depth
        self.numbersDirectly = numbersDirectly
    }

    mutating func look(of style: Style) -> Look {
        if style != last.style { last = (style, find(style)) }
        return last.look
    }

    private mutating func find(_ style: Style) -> Look {
        if let look = looks[style] { return look }
        if looks.count >= LookTable.limit { looks = [:] }
        let look = reduced(style)
        looks[style] = look
        return look
    }

    private func reduced(_ style: Style) -> Look {
        let style = style.reduced(to: depth)
        let (foreground, background) = (number(of: style.foreground), number(of: style.background))
        var look = Look(colors: ColorPair(foreground: foreground, background: background), attributes: style.attributes)
        // Changing an attribute costs more than changing colours, so swapped colours replace reverse video. Reverse video is kept with bold
        // or dim, because these change the foreground before the swap. It is also kept with the terminal's own colours, because −1 means a
        // different colour as a foreground than as a background.
        if look.attributes.contains(.reverse), look.attributes.isDisjoint(with: [.bold, .dim]), foreground != -1, background != -1 {
            look.colors = ColorPair(foreground: background, background: foreground)
            look.attributes.remove(.reverse)
        }
        return look
    }

    /// The number of a colour in terminfo: −1 for the terminal's own colour, or else the palette index. With direct
    /// colours (`numbersDirectly`), only 0 to 7 are palette indexes, and every other colour is its RGB value.
    private func number(of color: Color) -> Int32 {
        switch color.kind {
        case .default: return -1
        case .palette(let index) where !numbersDirectly || index < 8: return Int32(index)
        case .palette, .rgb:
            guard numbersDirectly, let (red, green, blue) = color.components else { return -1 }
            let number = Int32(red) << 16 | Int32(green) << 8 | Int32(blue)
            // Numbers below eight would be read as palette indexes, so the blues nearest to black become 8.
            return number > 0 && number < 8 ? 8 : number
        }
    }
}
