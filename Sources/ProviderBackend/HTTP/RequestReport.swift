/// The outcome of a request to a provider backend, for a log. It holds no headers, tokens or bodies.
public struct RequestReport: Sendable {
    /// HTTP method in capitals.
    public let method: String
    /// Path below the provider backend's address, such as `/trip/new`.
    public let path: String
    /// HTTP status of the answer; nil without an answer.
    public let status: Int?
    /// The reason for the failure, as printable text; nil after a success.
    public let failure: String?
    /// Seconds from the request to the last byte of its answer.
    public let seconds: Double
}
