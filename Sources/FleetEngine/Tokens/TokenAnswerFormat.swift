/// Names of the JSON members in which a token source gives the token and its expiry. The default is the format of Google's sample provider.
public struct TokenAnswerFormat: Hashable, Sendable {
    /// The unit and origin of the expiry's number. Raw values are the words of configuration.
    public enum Expiry: String, CaseIterable, Hashable, Sendable {
        /// Guessed by the magnitude: a number below 10⁸ is in seconds from now, one below 10¹¹ in seconds since 1970, a larger one in
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
    /// The unit and origin of the number at `expiryKey`.
    public var expiry: Expiry

    /// The format of Google's sample provider, unless the arguments say otherwise.
    public init(tokenKey: String = "jwt", expiryKey: String? = "expirationTimestamp", expiry: Expiry = .guessed) {
        self.tokenKey = tokenKey
        self.expiryKey = expiryKey
        self.expiry = expiry
    }
}
