/// Whether a background is dark or light, which determines the colours that are readable on it.
public enum BackgroundTone: String, Sendable, Hashable, CaseIterable {
    /// A dark background, on which bright colours are readable.
    case dark
    /// A light background, on which dark colours are readable.
    case light

    /// Creates the tone of a background colour in sRGB, with components from 0 to 1. The tone is light if the lightness in CIE L*a*b* is at
    /// least 50.
    public init(red: Double, green: Double, blue: Double) {
        func linear(_ value: Double) -> Double {
            // This approximation of sRGB's transfer function is precise enough to distinguish dark from light.
            value * value * (0.2 + 0.8 * value)
        }
        let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        self = luminance < 0.184 ? .dark : .light
    }
}
