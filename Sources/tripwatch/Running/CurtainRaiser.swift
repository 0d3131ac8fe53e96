import FoundationEssentials
import TerminalScreen
import TripWatchApp

/// Opens the screen and shows a first frame before what takes time has begun.
@MainActor
struct CurtainRaiser {
    var output: OutputOptions
    var look: ScreenOptions

    /// - Returns: the open screen; nil where lines are wanted, or where there can be no screen and lines will do.
    /// - Throws: the exit of a command that was told to show a screen and cannot.
    func open(saying text: String, now: Date) throws -> TerminalScreen? {
        guard output.wantsScreen else { return nil }
        do throws(TerminalScreenError) {
            let screen = try look.open()
            var options = look.appOptions(screen: screen)
            options.opening = text
            let themes = ThemePicker(name: look.theme, environment: ProcessInfo.processInfo.environment, depth: screen.colorDepth)
            let state = AppState(trips: [], options: options, size: screen.size, now: now)
            screen.present(AppView().canvas(state, theme: themes.theme), title: nil)
            return screen
        } catch {
            guard output.output == .screen else { return nil }
            throw Failure(message: "\(error) Use --output plain for lines.", exitCode: ExitCodes.failed).end()
        }
    }

    /// Leaves the screen, so that a failure can be said.
    static func close(_ screen: TerminalScreen?) async {
        guard let held = await screen?.close(), !held.isEmpty else { return }
        Terminal.say(held)
    }
}
