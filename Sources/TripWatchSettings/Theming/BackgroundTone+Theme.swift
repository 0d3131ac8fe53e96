package import TerminalCanvas

extension BackgroundTone {
    /// Returns the terminal's background as stated by the user's flag, or else by the environment variable `COLORFGBG`.
    ///
    /// `COLORFGBG` was introduced by rxvt and adopted by Konsole and others. Its form is "15;0" or "15;default;0", where the last number is
    /// the palette index of the background. The colours 7 and 9 to 15 are light. The colours 0 to 6 are dark, and so is 8, which is a dark
    /// grey. Returns nil if neither source states a background.
    package static func hint(environment: [String: String], flag: BackgroundTone? = nil) -> BackgroundTone? {
        if let flag { return flag }
        guard let fields = environment["COLORFGBG"]?.split(separator: ";", omittingEmptySubsequences: false), fields.count >= 2,
            let entry = fields.last.flatMap({ Int($0) })
        else { return nil }
        switch entry {
        case 0...6, 8: return .dark
        case 7, 9...15: return .light
        default: return nil
        }
    }
}

extension ThemeCatalog {
    /// Returns the name of the default theme. If the background is unknown, this theme is readable on both dark and light
    /// backgrounds.
    package static func defaultName(background: BackgroundTone?, depth: ColorDepth) -> String {
        switch depth {
        case .none: "mono"
        case .ansi8, .ansi16: "terminal-16"
        case .palette256, .direct: background.map(baseName) ?? "harbour"
        }
    }

    /// Returns the name of the theme whose styles are used where another theme has no style.
    static func baseName(_ background: BackgroundTone?) -> String { background == .light ? "harbour-light" : "harbour-dark" }
}
