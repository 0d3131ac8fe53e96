import TerminalCanvas

extension Color {
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
    /// Common background colours of terminals. Dark: black, near black, Catppuccin Mocha, One Dark, Solarized, Nord. Light: white, paper,
    /// Solarized, Catppuccin Latte, light grey.
    var grounds: [Color] {
        switch self {
        case .dark: [.rgb(0, 0, 0), .rgb(16, 20, 28), .rgb(30, 30, 46), .rgb(40, 44, 52), .rgb(0, 43, 54), .rgb(46, 52, 64)]
        case .light: [.rgb(255, 255, 255), .rgb(252, 250, 245), .rgb(253, 246, 227), .rgb(239, 241, 245), .rgb(238, 238, 238)]
        }
    }
}
