public import FleetEngine
import FoundationEssentials
import HTTPCalls

/// The reason why the provider backend did not carry out a request. `description` is one sentence.
public struct ProviderBackendError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kind of failure, for code that handles it.
    public enum Kind: Hashable, Sendable {
        /// No request was sent, the provider backend was not reached, or it did not answer in time.
        case unreachable
        /// The status of the answer reports a failure of the provider backend itself (5xx).
        case failing(status: Int)
        /// The provider backend refused the request (4xx), or redirected it (3xx).
        case refused(status: Int)
        /// The answer does not have the format of the sample provider's API.
        case notUnderstood
    }

    /// Kind of failure, for programs. `description` is for people.
    public let kind: Kind
    public internal(set) var description: String
    /// The failure in the form of a Fleet Engine error, with its code and class.
    public let fleetEngineError: FleetEngineError
    /// Whether the provider backend may have carried out the request without confirming it. If so, the client does not repeat a booking.
    public internal(set) var mayHaveHappened: Bool

    /// Whether the same request may succeed later without any action.
    public var isRetryable: Bool { fleetEngineError.errorClass() == .retryable }
}

extension ProviderBackendError {
    /// Creates the error for a request that got no usable answer.
    init(_ failure: HTTPFailure, address: ProviderBackendClient.Address) {
        kind = failure.kind == .tooLarge || failure.kind == .otherType ? .notUnderstood : .unreachable
        mayHaveHappened = !failure.isUnsent
        let (code, origin): (StatusCode, FleetEngineError.Origin) =
            switch failure.kind {
            case .notConnected, .broken: (.unavailable, .network)
            case .late: (.deadlineExceeded, .local)
            case .certificate: (.unavailable, .tls)
            case .tooLarge, .otherType: (.dataLoss, .local)
            case .invalid: (.failedPrecondition, .local)
            case .cancelled: (.cancelled, .local)
            }
        description =
            switch failure.kind {
            case .certificate: "the connection to the provider at \(address) is not safe (\(failure.words))"
            case .tooLarge, .otherType: "the answer from the provider at \(address) cannot be used: \(failure.words)"
            case .invalid: "no request was sent to the provider at \(address): \(failure.words)"
            case .notConnected, .broken, .late, .cancelled: "the provider at \(address) \(failure.predicate) (\(failure.words))"
            }
        fleetEngineError = FleetEngineError(code: code, message: description, origin: origin)
    }

    /// Creates the error for a request that the provider backend refused or failed to carry out.
    init(_ answer: HTTPExchange.Answer, said: String, address: ProviderBackendClient.Address, now: Date) {
        let status = answer.status
        let words = said.isEmpty ? "HTTP \(status)" : "HTTP \(status): \(said)"
        if status >= 500 {
            kind = .failing(status: status)
            description = "the provider at \(address) failed (\(words))"
        } else {
            kind = .refused(status: status)
            description =
                (300..<400).contains(status)
                ? "the provider at \(address) redirects to another address; the redirect is not followed (HTTP \(status))"
                : "the provider at \(address) refused the request (\(words))"
        }
        mayHaveHappened = status >= 500 && status != 501 && status != 503
        fleetEngineError = FleetEngineError(
            code: StatusCode(httpStatus: status), message: description,
            details: answer.retryAfterSeconds(now: now).map { [.retryInfo(delaySeconds: $0)] } ?? [], httpStatus: status,
            requestID: answer.header("x-request-id").map { ForeignText.line($0, limit: 64) })
    }

    /// Creates the error for an answer that does not have the expected format.
    init(notUnderstood what: String, address: ProviderBackendClient.Address) {
        kind = .notUnderstood
        description = "the answer from the provider at \(address) cannot be used: \(what)"
        mayHaveHappened = true
        fleetEngineError = FleetEngineError(code: .dataLoss, message: description, origin: .local)
    }
}

extension StatusCode {
    /// Creates the gRPC status code closest to an HTTP status, for a server that sends no gRPC status code.
    init(httpStatus: Int) {
        self =
            switch httpStatus {
            case 401: .unauthenticated
            case 403: .permissionDenied
            case 404, 410: .notFound
            case 408, 504: .deadlineExceeded
            case 409: .aborted
            case 412: .failedPrecondition
            case 429: .resourceExhausted
            case 300..<400, 405, 501: .unimplemented
            case 502, 503: .unavailable
            case 500...: .internal
            default: .invalidArgument
            }
    }
}
