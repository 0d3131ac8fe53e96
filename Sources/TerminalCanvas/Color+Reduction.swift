import Glibc

extension Color {
    /// Returns the nearest colour that a terminal of this depth can show, by distance in Björn Ottosson's Oklab.
    ///
    /// With 256 colours, a direct colour becomes one of the palette entries 16 to 255, which look the same on all terminals. With 16 or 8
    /// colours, the result is one of the first 16 or 8 palette entries, compared by xterm's default values. Hue then counts for more than
    /// lightness, so a dark blue stays blue. With 8 colours, a bright palette entry becomes its dark form, and a grey becomes black or
    /// white. `.none` allows only the terminal's own colour.
    public func reduced(to depth: ColorDepth) -> Color {
        switch (depth, kind) {
        case (_, .default), (.none, _): .default
        case (.direct, _), (.palette256, .palette): self
        case (.palette256, .rgb(let red, let green, let blue)):
            .palette(XtermPalette.nearest(Oklab(red, green, blue), in: 16...255, hueWeight: 1))
        case (.ansi16, .palette(let index)) where index < 16: self
        case (.ansi8, .palette(let index)) where index < 8: self
        case (.ansi8, .palette(let index)) where index < 16: .palette(index == 8 ? 0 : index - 8)
        case (.ansi16, _): .palette(XtermPalette.nearest(oklab, in: 0...15, hueWeight: 3))
        case (.ansi8, _) where oklab.isGrey: .palette(oklab.lightness < 0.5 ? 0 : 7)
        case (.ansi8, _): .palette(XtermPalette.nearest(oklab, in: 0...7, hueWeight: 3))
        }
    }

    /// Whether the colour is a grey that is clearly lighter than black. False for the first eight palette entries.
    fileprivate var isMiddleGrey: Bool {
        switch kind {
        case .default: return false
        case .palette(let index) where index < 8: return false
        case .palette, .rgb: break
        }
        let color = oklab
        return color.isGrey && color.lightness > 0.2
    }

    /// The red, green and blue components with which xterm shows the colour by default; `nil` for the terminal's own colour.
    public var components: (red: UInt8, green: UInt8, blue: UInt8)? {
        switch kind {
        case .default: nil
        case .palette(let index): XtermPalette.components(index)
        case .rgb(let red, let green, let blue): (red, green, blue)
        }
    }

    private var oklab: Oklab {
        let (red, green, blue) = components ?? (0, 0, 0)
        return Oklab(red, green, blue)
    }
}

extension Style {
    /// Returns this style with both colours reduced. The attributes do not change.
    ///
    /// The first eight colours contain no grey. With eight colours, grey text on the terminal's own background therefore gets the
    /// terminal's own foreground.
    public func reduced(to depth: ColorDepth) -> Style {
        let isPlainGrey = depth == .ansi8 && background == .default && foreground.isMiddleGrey
        return Style(
            foreground: isPlainGrey ? .default : foreground.reduced(to: depth), background: background.reduced(to: depth),
            attributes: attributes)
    }
}

/// A colour in Oklab, a colour space in which distances match visible differences.
private struct Oklab: Sendable {
    let lightness: Double
    let a: Double
    let b: Double

    /// Converts an sRGB colour with the matrices of the Oklab definition.
    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        let (r, g, b) = (Oklab.linear(red), Oklab.linear(green), Oklab.linear(blue))
        let long = cbrt(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b)
        let medium = cbrt(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b)
        let short = cbrt(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b)
        lightness = 0.210_454_255_3 * long + 0.793_617_785_0 * medium - 0.004_072_046_8 * short
        a = 1.977_998_495_1 * long - 2.428_592_205_0 * medium + 0.450_593_709_9 * short
        self.b = 0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766_0 * short
    }

    /// Converts a component from sRGB to linear light with the transfer function of IEC 61966-2-1.
    private static func linear(_ value: UInt8) -> Double {
        let fraction = Double(value) / 255
        return fraction <= 0.040_45 ? fraction / 12.92 : pow((fraction + 0.055) / 1.055, 2.4)
    }

    /// Whether the colour has no visible hue.
    var isGrey: Bool { a * a + b * b < 0.000_4 }

    func distance(to other: Oklab, hueWeight: Double) -> Double {
        let (light, da, db) = (lightness - other.lightness, a - other.a, b - other.b)
        return light * light + hueWeight * (da * da + db * db)
    }
}

/// The default colours of xterm's palette.
private enum XtermPalette {
    /// The first sixteen colours of the palette, which users often change.
    private static let system: [(UInt8, UInt8, UInt8)] = [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
        (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
    ]

    /// Returns the components of a palette entry. Entries 16 to 231 are a 6 × 6 × 6 cube with the steps 0, 95, 135, 175, 215, 255. Entries
    /// 232 to 255 are greys: 8, 18 … 238.
    static func components(_ index: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
        if index < 16 { return system[Int(index)] }
        if index >= 232 {
            let grey = 8 + (index - 232) * 10
            return (grey, grey, grey)
        }
        let place = index - 16
        func step(_ level: UInt8) -> UInt8 { level == 0 ? 0 : 55 + level * 40 }
        return (step(place / 36), step(place / 6 % 6), step(place % 6))
    }

    private static let table: [Oklab] = (0...255).map { index in
        let (red, green, blue) = components(UInt8(index))
        return Oklab(red, green, blue)
    }

    static func nearest(_ color: Oklab, in range: ClosedRange<UInt8>, hueWeight: Double) -> UInt8 {
        var best = range.lowerBound
        var least = Double.infinity
        for index in range {
            let distance = color.distance(to: table[Int(index)], hueWeight: hueWeight)
            if distance < least {
                least = distance
                best = index
            }
        }
        return best
    }
}
