import CNCurses
public import TerminalCanvas

/// What a screen would find in the terminal of this process, found out without opening one.
public struct TerminalSurvey: Sendable {
    /// TERM; nil where it is not set.
    public let type: String?
    /// The terminfo entry that would be used; nil where there is none.
    public let entry: String?
    /// The colours that would be used.
    public let colorDepth: ColorDepth
    /// The painter that suits the terminal's type and locale.
    public let painterHint: Painter
    /// Why no screen can be drawn.
    public let fault: TerminalScreenError?

    /// Not while a screen is open.
    ///
    /// - Parameters:
    ///   - colorDepth: the most colours to use; nil finds out, as ``TerminalScreen/Options/colorDepth`` does.
    ///   - isUTF8: whether the locale is UTF-8.
    public init(colorDepth: ColorDepth? = nil, isUTF8: Bool) {
        let environment = TerminalEnvironment.current()
        type = environment["TERM"]
        var profile: TerminalProfile?
        var fault: TerminalScreenError?
        do throws(TerminalScreenError) {
            guard let type else { throw .terminalTypeMissing }
            profile = try TerminalProfile.open(type: type, depth: colorDepth, isUTF8: isUTF8, environment: environment)
            cncurses_close()
        } catch {
            fault = error
        }
        entry = profile?.type
        self.colorDepth = profile?.colorDepth ?? ColorDepth.none
        painterHint = profile?.painterHint ?? .ascii
        self.fault = fault
    }
}
