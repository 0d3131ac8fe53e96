public import TerminalCanvas

/// An event of a screen.
public enum ScreenEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// A mouse button, the wheel, or a drag. Such events are reported only if ``TerminalScreen/Options/mouse`` is set.
    case mouse(MouseEvent)
    /// The screen has a new size. The next canvas should have the same size; the screen stays as it is until that canvas arrives.
    case resize(Size)
    /// The terminal's window gained or lost the keyboard focus.
    case focus(Bool)
    /// The terminal changed to dark or light mode. Reported only if ``TerminalScreen/Options/asksBackground`` allows asking the
    /// terminal.
    case background(BackgroundTone)
    /// Text pasted by the user, at most 64 KiB, with line feeds as line ends. It may contain any other characters.
    case paste(String)
    /// The program was continued after Ctrl-Z. The last canvas is painted again, and a ``resize(_:)`` event follows.
    case resumed
    /// SIGINT, SIGTERM, SIGHUP or SIGQUIT arrived. Shut down, ``TerminalScreen/close()`` the screen, then call
    /// ``TerminalScreen/endProcess(bySignal:)``.
    case signal(Int32)
    /// The terminal is gone and can no longer be read from or written to. Shut down as for SIGHUP. SIGHUP often arrives before or after
    /// this event, but not always.
    case closed
}
