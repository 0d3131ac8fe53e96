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
                .warn, "token", "\(words) after \(milliseconds) ms. It ran without a trip.",
                advice: "'tripwatch doctor TRIP' runs the command for that trip.")
        case .missing(let words): Finding(.fail, "token", "\(words).", advice: "Correct token_command, or --token-command.")
        }
    }
}
