/// Members of a token source's JSON that hold the token and its expiry. The default is the format of Google's sample provider.
public struct TokenAnswerFormat: Hashable, Sendable {
    /// The unit and origin of the expiry's number. Raw values are the words of configuration.
    public enum Expiry: String, CaseIterable, Hashable, Sendable {
        /// By magnitude: below 10⁸ seconds from now, below 10¹¹ seconds since 1970, else milliseconds since 1970.
        case guessed = "auto"
        /// Seconds since 1970, as the SDK's Swift sample reads it.
        case absoluteSeconds = "seconds"
        /// Milliseconds since 1970, as the sample provider sends it.
        case absoluteMilliseconds = "milliseconds"
        /// Seconds from now, as the SDK's Objective-C sample reads it.
        case relativeSeconds = "relative"
    }

    /// Member that holds the token.
    public var tokenKey: String
    /// Member that holds the expiry; nil for a source that gives none.
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
