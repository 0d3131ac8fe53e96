import HTTPServing
import Hummingbird

extension SecretDoors {
    /// Counts a secret if it is wrong. Returns the refusal if its sender's address has tried too many wrong secrets; otherwise nil. Also
    /// nil for a secret that came from this address before.
    func refusal(of secret: String, isRight: Bool, at door: Door) -> Response? {
        let verdict = verdict(on: secret, isRight: isRight, at: door, from: HTTPCaller.current?.source)
        guard case .tooMany(let seconds) = verdict else { return nil }
        var response = ProviderServer.message("too many wrong keys came from this address: try again in \(seconds) s", .tooManyRequests)
        response.headers[.retryAfter] = "\(seconds)"
        return response
    }
}
