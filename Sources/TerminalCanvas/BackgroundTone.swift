/// Whether a background is dark or light, which decides the colours that are readable on it.
public enum BackgroundTone: String, Sendable, Hashable, CaseIterable {
    /// A dark background, on which bright colours are readable.
    case dark
    /// A light background, on which dark colours are readable.
    case light

    /// The tone of a colour in sRGB, each component from 0 to 1: light if the lightness in CIE L*a*b* is at least 50.
    public init(red: Double, green: Double, blue: Double) {
        func linear(_ value: Double) -> Double {
            // An approximation of sRGB's transfer function, precise enough for two tones.
            value * value * (0.2 + 0.8 * value)
        }
        let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        self = luminance < 0.184 ? .dark : .light
    }
}
