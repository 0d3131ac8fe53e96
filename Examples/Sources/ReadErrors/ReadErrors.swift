import FleetEngine
import Geo

/// Shows, for several errors of Fleet Engine, whether the app should retry or ask the user to act, and how long a poll loop waits.
@main
struct ReadErrors {
    static func main() {
        var pace = RetryPace()
        var random = SeededRandom(seed: 1)
        for code in [StatusCode.unavailable, .unauthenticated, .notFound, .resourceExhausted] {
            let error = FleetEngineError(code: code, message: "as an example", origin: .server)
            switch error.errorClass() {
            case .retryable: print(code.name, "is retried by itself")
            case .actionRequired(let action): print(code.name, "needs the user:", action.rawValue)
            }
            let seconds = pace.delaySeconds(after: error, intervalSeconds: 5, random: &random)
            print("  next try in \(Int(seconds)) s")
        }
    }
}
