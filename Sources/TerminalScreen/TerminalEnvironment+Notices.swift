extension TerminalEnvironment {
    /// Which sequence asks this terminal for a desktop notice. What is not known, as over ssh, gets the one that most terminals take and the
    /// others pass over. Inside tmux the variables of the terminal around it count, where tmux has them.
    func notices(_ profile: TerminalProfile) -> TerminalScreen.Options.Notices {
        guard profile.isXtermLike else { return .off }
        let type = self["TERM"] ?? profile.type
        let programs = [self["TERM_PROGRAM"], self["LC_TERMINAL"]].compactMap { $0?.lowercased() }
        func isOne(of names: String...) -> Bool { names.contains { name in programs.contains(name) || type.contains(name) } }
        if isOne(of: "kitty") || self["KITTY_WINDOW_ID"] != nil { return .osc99 }
        if isOne(of: "iterm.app", "iterm2", "wezterm") { return .osc9 }
        if isOne(of: "ghostty", "foot", "konsole", "rxvt") || self["KONSOLE_VERSION"] != nil { return .osc777 }
        return .osc9
    }
}
