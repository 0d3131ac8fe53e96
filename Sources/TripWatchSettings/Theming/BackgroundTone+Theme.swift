package import TerminalCanvas

extension BackgroundTone {
    /// The terminal's background: as the user's flag says, else as the environment does.
    ///
    /// `COLORFGBG` is what rxvt set first and Konsole and others took over: "15;0" or "15;default;0", the last number the background's
    /// entry of the palette. 7 and 9 to 15 are light, 0 to 6 and 8 (a dark grey) dark. Nil if neither says anything.
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
    /// The theme of a user who chose none: on an unknown background one that can be read on both.
    package static func defaultName(background: BackgroundTone?, depth: ColorDepth) -> String {
        switch depth {
        case .none: "mono"
        case .ansi8, .ansi16: "terminal-16"
        case .palette256, .direct: background.map(baseName) ?? "harbour"
        }
    }

    /// The theme that what another one leaves out is taken from.
    static func baseName(_ background: BackgroundTone?) -> String { background == .light ? "harbour-light" : "harbour-dark" }
}
