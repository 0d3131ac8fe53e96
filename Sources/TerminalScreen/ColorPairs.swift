import CNCurses
import TerminalCanvas

/// Numbers for combinations of colours, which is how ncurses wants to be told of them.
struct ColorPairs {
    private struct Combination: Hashable {
        var foreground: Color
        var background: Color
    }

    private static let few: Int32 = 256

    private let depth: ColorDepth
    private let isDirect: Bool
    private let limit: Int32
    private var next: Int32 = 1
    /// Pairs by the colours of the canvas, so that nothing has to be reduced twice.
    private var known: [Combination: Int32] = [:]
    /// Pairs by the colours of ncurses; many colours of a canvas become the same one there.
    private var defined: [SIMD2<Int32>: Int32] = [:]
    private var last = Combination(foreground: .default, background: .default)
    private var lastPair: Int32 = 0
    /// A combination did not get a pair of its own since the last ``startOver()``.
    private(set) var ranOut = false
    private var isSecondTry = false

    init(depth: ColorDepth, isDirect: Bool) {
        self.depth = depth
        self.isDirect = isDirect
        limit = cncurses_pairs()
        // Where pairs are few, each foreground has one on the terminal's own background to fall back on.
        guard limit <= ColorPairs.few else { return }
        for foreground in 0..<cncurses_colors() { _ = define(SIMD2(foreground, -1)) }
    }

    /// Forgets all pairs. The caller invalidates the screen first, so that ncurses does not repaint what has the old ones.
    mutating func startOver() {
        self = ColorPairs(depth: depth, isDirect: isDirect)
        isSecondTry = true
    }

    /// The pair of two colours. Where there are too many combinations on one screen, the background gives way.
    mutating func pair(foreground: Color, background: Color) -> Int32 {
        let combination = Combination(foreground: foreground, background: background)
        if combination == last { return lastPair }
        let pair = known[combination] ?? find(combination)
        last = combination
        lastPair = pair
        return pair
    }

    private mutating func find(_ combination: Combination) -> Int32 {
        let reduced = Style(foreground: combination.foreground, background: combination.background).reduced(to: depth)
        let colors = SIMD2(number(of: reduced.foreground), number(of: reduced.background))
        let pair = define(colors) ?? define(SIMD2(colors.x, -1)) ?? 0
        if known.count >= 1 << 16 { known.removeAll() }
        known[combination] = pair
        return pair
    }

    private mutating func define(_ colors: SIMD2<Int32>) -> Int32? {
        if colors == SIMD2(-1, -1) { return 0 }
        if let pair = defined[colors] { return pair }
        guard next < limit, cncurses_set_pair(next, colors.x, colors.y) else {
            ranOut = !isSecondTry
            return nil
        }
        defined[colors] = next
        next += 1
        return next - 1
    }

    /// How ncurses numbers a colour that the terminal has: −1 the terminal's own, else the palette's index; for direct colour the first eight of the palette, or
    /// red, green and blue in one number.
    private func number(of color: Color) -> Int32 {
        switch color.kind {
        case .default: return -1
        case .palette(let index) where !isDirect || index < 8: return Int32(index)
        case .palette, .rgb:
            guard isDirect, let (red, green, blue) = color.components else { return -1 }
            let number = Int32(red) << 16 | Int32(green) << 8 | Int32(blue)
            // The blues nearest to black would be taken for the palette.
            return number > 0 && number < 8 ? 8 : number
        }
    }
}
