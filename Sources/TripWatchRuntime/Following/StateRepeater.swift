import ProgramSurroundings

/// Repeats the state of all followed trips and shipments whenever the user presses Enter. They share one repeater, because typed
/// text reaches only one reader of the terminal.
@MainActor
final class StateRepeater {
    private var speakers: [() -> Void] = []
    private var typed: TypedLines?

    init(_ streams: StandardStreams) {
        typed = TypedLines(streams) { [weak self] in
            Task { @MainActor in
                guard let self else { return }
                for speak in self.speakers { speak() }
            }
        }
    }

    /// Adds a function that prints the current state.
    func add(_ speak: @escaping () -> Void) { speakers.append(speak) }
}
