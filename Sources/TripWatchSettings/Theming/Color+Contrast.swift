import Glibc
package import TerminalCanvas

extension Color {
    /// Returns the contrast ratio of two colours as defined by WCAG 2.2, from 1 to 21. Palette colours are compared by xterm's default
    /// values. Returns nil if one of the colours is the terminal's default colour, because its value is then unknown.
    package func contrast(with other: Color) -> Double? {
        guard let own = relativeLuminance, let others = other.relativeLuminance else { return nil }
        return (max(own, others) + 0.05) / (min(own, others) + 0.05)
    }

    private var relativeLuminance: Double? {
        guard let components else { return nil }
        func linear(_ value: UInt8) -> Double {
            let part = Double(value) / 255
            return part <= 0.040_45 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.212_6 * linear(components.red) + 0.715_2 * linear(components.green) + 0.072_2 * linear(components.blue)
    }

    /// Whether the terminal defines the colour: the default colour, or one of the first sixteen palette colours.
    var isTerminalsOwn: Bool {
        switch kind {
        case .default: true
        case .palette(let index): index < 16
        case .rgb: false
        }
    }
}

extension BackgroundTone {
    /// Common background colours of terminals. Dark: black, near black, One Dark, Solarized, Nord. Light: white, paper,
    /// Solarized, Latte, light grey.
    var grounds: [Color] {
        switch self {
        case .dark: [.rgb(0, 0, 0), .rgb(16, 20, 28), .rgb(30, 30, 46), .rgb(40, 44, 52), .rgb(0, 43, 54), .rgb(46, 52, 64)]
        case .light: [.rgb(255, 255, 255), .rgb(252, 250, 245), .rgb(253, 246, 227), .rgb(239, 241, 245), .rgb(238, 238, 238)]
        }
    }
}
