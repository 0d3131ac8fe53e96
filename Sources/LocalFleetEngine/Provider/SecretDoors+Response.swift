import HTTPServing
import Hummingbird

extension SecretDoors {
    /// Counts a wrong secret when an address sends it for the first time. Returns the refusal if the address has tried too many wrong
    /// secrets; otherwise nil. A secret that the address has sent before always gets nil.
    func refusal(of secret: String, isRight: Bool, at door: Door) -> Response? {
        let verdict = verdict(on: secret, isRight: isRight, at: door, from: HTTPCaller.current?.source)
        guard case .tooMany(let seconds) = verdict else { return nil }
        var response = ProviderServer.message("too many wrong keys came from this address: try again in \(seconds) s", .tooManyRequests)
        response.headers[.retryAfter] = "\(seconds)"
        return response
    }
}
