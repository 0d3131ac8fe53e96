/// The themes that come with the program.
public enum EmbeddedThemes {
    /// The text of each theme file, in UTF-8, by its name without ".toml".
    public static let all: [String: [UInt8]] = [
        "colour-blind": PackageResources.colour_blind_toml,
        "colour-blind-light": PackageResources.colour_blind_light_toml,
        "harbour": PackageResources.harbour_toml,
        "harbour-dark": PackageResources.harbour_dark_toml,
        "harbour-light": PackageResources.harbour_light_toml,
        "high-contrast": PackageResources.high_contrast_toml,
        "high-contrast-light": PackageResources.high_contrast_light_toml,
        "mono": PackageResources.mono_toml,
        "terminal-16": PackageResources.terminal_16_toml,
    ]
}
