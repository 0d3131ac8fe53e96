import FoundationEssentials
import TerminalScreen
import TripWatchApp

/// Opens the screen and shows a first frame before what takes time has begun.
@MainActor
struct ScreenOpener {
    var output: OutputSettings
    var look: ScreenSettings
    var surroundings: Surroundings

    /// - Returns: the open screen; nil where lines are wanted, or where there can be no screen and lines will do.
    /// - Throws: `Failure` where a screen was asked for and there can be none.
    func open(saying text: String, now: Date) throws(Failure) -> TerminalScreen? {
        guard output.wantsScreen(in: surroundings) else { return nil }
        do throws(TerminalScreenError) {
            let screen = try look.open()
            var options = look.appOptions(screen: screen, in: surroundings)
            options.opening = text
            let themes = look.themes(depth: screen.colorDepth, in: surroundings)
            let state = AppState(trips: [], options: options, size: screen.size, now: now)
            screen.present(AppView().canvas(state, theme: themes.theme), title: nil)
            return screen
        } catch {
            guard output.style == .screen else { return nil }
            throw Failure(message: "\(error) Use --output plain for lines.", exitCode: ExitCodes.failed)
        }
    }

    /// Leaves the screen, so that a failure can be said.
    func close(_ screen: TerminalScreen?) async {
        guard let held = await screen?.close(), !held.isEmpty else { return }
        surroundings.streams.say(held)
    }
}
