public import TerminalCanvas

/// What a screen tells the program.
public enum ScreenEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// A button, the wheel or a drag of the mouse; only where ``TerminalScreen/Options/mouse`` asks for it.
    case mouse(MouseEvent)
    /// The screen has another size. The next canvas should have it too; nothing is painted until it comes.
    case resize(Size)
    /// The terminal's window gained or lost the keyboard.
    case focus(Bool)
    /// The terminal went over to a dark or a light mode. Only where ``TerminalScreen/Options/asksBackground`` let it be asked.
    case background(BackgroundTone)
    /// Text pasted by the user, at most 64 KiB of it, with line feeds as line ends. It may hold anything else.
    case paste(String)
    /// Back after Ctrl-Z: the last canvas has been painted anew, a ``resize(_:)`` follows.
    case resumed
    /// SIGINT, SIGTERM, SIGHUP or SIGQUIT: shut down, ``TerminalScreen/close()`` the screen, then call ``TerminalScreen/endProcess(bySignal:)``.
    case signal(Int32)
    /// The terminal is gone: nothing can be shown and nothing is read any more. Shut down as for SIGHUP, which often comes before or after it
    /// but need not come at all.
    case closed
}
