import FleetEngine
import Geo

/// For several Fleet Engine errors, prints whether a retry can help or the user must act. Also prints how long a poll loop waits before it
/// retries.
@main
struct ReadErrors {
    static func main() {
        var pace = RetryPace()
        var random = SeededRandom(seed: 1)
        for code in [StatusCode.unavailable, .unauthenticated, .notFound, .resourceExhausted] {
            let error = FleetEngineError(code: code, message: "as an example", origin: .server)
            switch error.errorClass() {
            case .retryable: print(code.name, "is retryable")
            case .actionRequired(let action): print(code.name, "needs the user:", action.rawValue)
            }
            let seconds = pace.delaySeconds(after: error, intervalSeconds: 5, random: &random)
            print("  next attempt in \(Int(seconds)) s")
        }
    }
}
