import Glibc
import ProviderBackend
import Synchronization
import TerminalScreen

/// While this lives, a signal that ends the program ends the token commands that it runs as well. Not for a program with a screen, which has
/// signals of its own and ends its commands by cancelling them.
final class HelperGuard: Sendable {
    private static let isEnding = Atomic(false)

    private let signals = InterruptSignals { number in
        isEnding.store(true, ordering: .sequentiallyConsistent)
        HelperProcesses.endAll()
        TerminalScreen.endProcess(bySignal: number)
    }

    /// Holds the calling thread for ever where the process is being ended by a signal: that a token command was ended is no failure to be
    /// told, and the signal is how the process ends.
    static func yieldToEnd() {
        while isEnding.load(ordering: .sequentiallyConsistent) { pause() }
    }
}
