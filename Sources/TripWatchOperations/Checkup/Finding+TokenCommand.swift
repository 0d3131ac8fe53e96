import ProviderBackend
import TripWatchWords

extension Finding {
    /// Returns the finding for a token command that ran without a trip. The output is not checked, because it need not be a token.
    static func tokenCommand(_ trial: CommandAccessToken.Trial, milliseconds: Int) -> Finding {
        switch trial {
        case .done:
            Finding(
                .ok, "token", "the token command succeeded in \(milliseconds) ms.",
                advice: "'tripwatch doctor TRIP' also checks the token.")
        case .failed(let words):
            Finding(
                .warn, "token", "\(sentence(words)) It ran for \(milliseconds) ms and was given no trip id.",
                advice: "'tripwatch doctor TRIP' runs it with the id of TRIP.")
        case .missing(let words): Finding(.fail, "token", sentence(words), advice: "Correct token_command, or --token-command.")
        }
    }

    /// Adds a full stop, unless the command's own message ends with one.
    private static func sentence(_ words: String) -> String { words.hasSuffix(".") ? words : "\(words)." }
}
