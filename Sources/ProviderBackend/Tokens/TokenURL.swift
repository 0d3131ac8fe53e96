import FleetEngine
import FoundationEssentials
import HTTPCalls

/// A URL from which tokens are fetched. It may contain the placeholders `{tripID}`, `{trackingID}` and `{vehicleID}`. The scheme is https,
/// or http for a host on this machine.
///
/// The description shows scheme, host and path. It shows no query and no path segment longer than 24 bytes, because these may be keys.
public struct TokenURL: Hashable, Sendable, CustomStringConvertible {
    private static let placeholders = ["{tripID}", "{trackingID}", "{vehicleID}"]

    /// The URL with its placeholders, without a fragment.
    package let template: String
    let origin: HTTPOrigin
    /// Printable scheme, host and path. The query is left out, and path segments longer than 24 bytes are shown as `…`.
    public let description: String

    /// Creates a token URL.
    /// - Throws: `TokenURLError` if the text is not a valid token URL.
    public init(_ text: String) throws(TokenURLError) {
        guard text.utf8.count <= 8_192, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw TokenURLError(description: "a token URL can have at most 8192 bytes, and no spaces")
        }
        let plain = Self.placeholders.reduce(text) { $0.replacing($1, with: "id") }
        guard !plain.contains("{"), !plain.contains("}") else {
            throw TokenURLError(description: "a token URL can have only {tripID}, {trackingID} and {vehicleID} in braces")
        }
        guard let url = URL(string: plain), let origin = HTTPOrigin(url) else {
            throw TokenURLError(description: "the token URL is not an http or https address such as https://example.com/token/{tripID}")
        }
        guard url.user() == nil, url.password() == nil else {
            throw TokenURLError(description: "the token URL contains a user name or password; send them in a header instead")
        }
        guard text.hasPrefix(plain.prefix(while: { $0 != ":" }) + "://" + origin.authority(in: plain)) else {
            throw TokenURLError(description: "the host in the token URL cannot contain {tripID}, {trackingID} or {vehicleID}")
        }
        guard origin.isSecure else {
            throw TokenURLError(
                description: "tokens are fetched in plaintext only from this machine: use https for \(origin)")
        }
        template = String(text.prefix { $0 != "#" })
        self.origin = origin
        description = "\(origin)" + Self.shownPath(template)
    }

    /// Returns the URL with the ids of a context. A missing id is left empty, because a URL for trips and shipments has placeholders
    /// for both.
    /// - Throws: `AccessTokenError.missingAuthorizationContext` when the URL has placeholders and the context has none of their ids.
    func url(_ context: AuthorizationContext) throws(AccessTokenError) -> String {
        var url = template
        let ids = zip(Self.placeholders, [context.tripID, context.trackingID, context.vehicleID]).filter { template.contains($0.0) }
        guard ids.isEmpty || ids.contains(where: { $0.1?.isEmpty == false }) else { throw .missingAuthorizationContext }
        for (place, id) in ids { url = url.replacing(place, with: PercentEncoding.segment(id ?? "")) }
        return url
    }

    private static func shownPath(_ template: String) -> String {
        let rest = template.prefix { $0 != "?" }.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).dropFirst(2)
        let path = (rest.first ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        return path.map { "/" + ($0.utf8.count > 24 ? "…" : ForeignText.line(String($0), limit: 24)) }.joined()
    }
}

/// The error for text that is not a token URL.
public struct TokenURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason why the text is not a token URL. It does not show the text.
    public let description: String
}
