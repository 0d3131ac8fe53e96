/// How a request to a provider's back end went, for a log. No header, token or body is in it.
public struct RequestReport: Sendable {
    /// An HTTP method, in capitals.
    public let method: String
    /// The path below the back end's address: `/trip/new`.
    public let path: String
    /// The answer's HTTP status; nil without an answer.
    public let status: Int?
    /// Why the request failed, in printable words; nil when it was answered with success.
    public let failure: String?
    /// From the request to the last byte of its answer.
    public let seconds: Double
}
