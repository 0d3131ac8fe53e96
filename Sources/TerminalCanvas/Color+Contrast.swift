import Glibc

extension Color {
    /// Returns the contrast ratio of two colours as defined by WCAG 2.2, from 1 to 21. Palette colours are compared by xterm's default
    /// values. Returns nil if one of the colours is the terminal's default colour, because its value is then unknown.
    public func contrast(with other: Color) -> Double? {
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
}
