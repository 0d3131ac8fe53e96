/// The names of the JSON members that hold the token and its expiry in a token source's answer, and the meaning of the expiry's number. The
/// default is the format of Google's sample provider.
public struct TokenAnswerFormat: Hashable, Sendable {
    /// The meaning of the number that gives the expiry: seconds or milliseconds, since 1970 or from now. The raw values are the words in
    /// the configuration.
    public enum Expiry: String, CaseIterable, Hashable, Sendable {
        /// The unit is guessed from the size of the number: below 10⁸, seconds from now; below 10¹¹, seconds since 1970; otherwise,
        /// milliseconds since 1970.
        case guessed = "auto"
        /// Seconds since 1970, as the SDK's Swift sample reads it.
        case absoluteSeconds = "seconds"
        /// Milliseconds since 1970, as the sample provider sends it.
        case absoluteMilliseconds = "milliseconds"
        /// Seconds from now, as the SDK's Objective-C sample reads it.
        case relativeSeconds = "relative"
    }

    /// Name of the member that holds the token.
    public var tokenKey: String
    /// Name of the member that holds the expiry; nil for a source that gives no expiry.
    public var expiryKey: String?
    /// The unit of the number in the member `expiryKey`, and the time from which the number counts.
    public var expiry: Expiry

    /// Creates a format. The defaults are the format of Google's sample provider.
    public init(tokenKey: String = "jwt", expiryKey: String? = "expirationTimestamp", expiry: Expiry = .guessed) {
        self.tokenKey = tokenKey
        self.expiryKey = expiryKey
        self.expiry = expiry
    }
}
