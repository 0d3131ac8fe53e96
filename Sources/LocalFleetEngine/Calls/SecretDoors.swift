import HTTPServing
import Logging

/// Limits failed attempts where a secret is required. An address that sends too many wrong secrets is refused. Each failed attempt is
/// logged, without the secret.
struct SecretDoors: Sendable {
    /// The place where a secret is required; the raw value is the `door` in a line of the log.
    enum Door: String, Sendable {
        case provider = "provider-api"
        case phone
        case token

        /// The word for the secret in the text of a log line: `key` in `wrong key`.
        fileprivate var word: String { self == .token ? "token" : "key" }
    }

    let wrong = WrongSecrets()
    let log: Logger?

    /// Returns the verdict on a secret. A wrong secret counts only the first time that the caller's address sends it. Every refusal is
    /// logged, without the secret.
    /// - Parameter caller: the sender of the secret; nil if it is not known.
    func verdict(on secret: String, isRight: Bool, at door: Door, from caller: CallSource?) -> WrongSecrets.Verdict {
        let verdict = wrong.verdict(on: secret, isRight: isRight, from: caller?.address)
        guard verdict != .right else { return verdict }
        let reason = verdict == .wrong ? "wrong \(door.word)" : "too many wrong \(door.word)s"
        var metadata: Logger.Metadata = ["door": "\(door.rawValue)", "reason": "\(reason)"]
        if let address = caller?.remoteIP { metadata["address"] = "\(address)" }
        log?.info("\(door.word) refused", metadata: metadata)
        return verdict
    }
}
