extension TerminalEnvironment {
    /// Returns the kind of sequence that asks this terminal for a desktop notice; `off` for consoles that would print it. An unknown
    /// terminal, for example over ssh, gets the most common sequence. Terminals that do not support this sequence ignore it. Inside tmux,
    /// the variables of the outer terminal are used if tmux has them.
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

extension TerminalEnvironment {
    /// Whether `OSC 9 ; 4` can be sent to the terminal: the terminal either shows it as progress or ignores it. False for iTerm2 before
    /// 3.6.6 and WezTerm before 2025, which show each percentage as a notice. Also false if the version of iTerm2 or WezTerm is unknown.
    var takesProgress: Bool {
        if self["TERM_PROGRAM"] == "iTerm.app" { return isAtLeast([3, 6, 6], self["TERM_PROGRAM_VERSION"]) }
        if self["TERM_PROGRAM"] == "WezTerm" { return isAtLeast([20_250_000], self["TERM_PROGRAM_VERSION"]) }
        if self["LC_TERMINAL"] == "iTerm2" { return isAtLeast([3, 6, 6], self["LC_TERMINAL_VERSION"]) }
        return true
    }

    /// Whether a version such as 3.6.6 or 20240203-110809 is at least the wanted version; false if the version is not known.
    private func isAtLeast(_ wanted: [Int], _ version: String?) -> Bool {
        let parts = (version ?? "").prefix(64).split { !$0.isASCII || !$0.isNumber }.map { Int($0) ?? 0 }
        return !parts.prefix(wanted.count).lexicographicallyPrecedes(wanted)
    }
}
