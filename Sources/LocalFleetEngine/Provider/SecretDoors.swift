import HTTPServing
import Hummingbird
import Logging

/// Limits failed attempts on the paths of the HTTP port that require a secret. An address that sends too many wrong secrets is
/// refused. Each failed attempt is logged, without the secret.
struct SecretDoors: Sendable {
    /// The kind of a secret; the raw value is its name in the log.
    enum Door: String, Sendable {
        case provider = "provider-api"
        case phone
    }

    let wrong = WrongSecrets()
    let log: Logger?

    /// Returns the response for an address that has tried too many wrong secrets; nil for all other addresses.
    func refusal(of secret: String, isRight: Bool, at door: Door) -> Response? {
        let caller = HTTPCaller.current?.source
        let verdict = wrong.verdict(on: secret, isRight: isRight, from: caller?.address)
        guard verdict != .right else { return nil }
        var metadata: Logger.Metadata = ["door": "\(door.rawValue)", "reason": verdict == .wrong ? "wrong key" : "too many wrong keys"]
        if let address = caller?.remoteIP { metadata["address"] = "\(address)" }
        log?.info("key refused", metadata: metadata)
        guard case .tooMany(let seconds) = verdict else { return nil }
        var response = ProviderServer.message("too many wrong keys came from this address: try again in \(seconds) s", .tooManyRequests)
        response.headers[.retryAfter] = "\(seconds)"
        return response
    }
}
