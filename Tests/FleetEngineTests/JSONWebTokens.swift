import FoundationEssentials

/// Readable tokens without a signature, for tests.
enum JSONWebTokens {
    static func make(header: String = #"{"alg":"RS256","kid":"key-1","typ":"JWT"}"#, claims: String, signature: String = "c2lnbmF0dXJl")
        -> String
    {
        [part(header), part(claims), signature].joined(separator: ".")
    }

    private static func part(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
