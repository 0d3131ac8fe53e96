import FleetEngine
import FoundationEssentials
import Testing

@Suite("Access tokens")
struct AccessTokenTests {
    @Test("text around a token is removed, and text that cannot be a token is refused")
    func checking() throws {
        #expect(try AccessToken.checked("  abc.def\n", origin: "test").secret == "abc.def")
        let long = String(repeating: "x", count: AccessToken.maximumBytes + 1)
        for bad in ["", " \n", "a b", "a\nb", "ä", long, "  " + long] {
            #expect(throws: AccessTokenError.self) { try AccessToken.checked(bad, origin: "test") }
        }
    }

    @Test("a token's description does not contain its text")
    func secrecy() {
        let token = AccessToken(secret: "s3cret")
        for text in ["\(token)", String(reflecting: token), "\(Mirror(reflecting: token).children.map { "\($0)" })", "\([token])"] {
            #expect(!text.contains("s3cret"))
        }
    }

    @Test(
        "the expiry of a JSON Web Token is read; other text does not trap", arguments: ["", "a.b", "a.b.c", "..", "a.e30.c", "x.\u{0}.y"])
    func claims(text: String) {
        // {"exp":1935756000,"iat":1935752400,"authorization":{"tripid":"t1"}}
        let body = "eyJleHAiOjE5MzU3NTYwMDAsImlhdCI6MTkzNTc1MjQwMCwiYXV0aG9yaXphdGlvbiI6eyJ0cmlwaWQiOiJ0MSJ9fQ"
        let claims = JSONWebTokenClaims(token: "h.\(body).s")
        #expect(claims?.expiresAt == Date(timeIntervalSince1970: 1_935_756_000))
        #expect(claims?.tripID == "t1")
        #expect(JSONWebTokenClaims(token: text)?.expiresAt == nil)
    }

    @Test("a token can come from the environment")
    func environment() throws {
        #expect(try FixedAccessToken(environment: [:]) == nil)
        #expect(try FixedAccessToken(environment: ["TRIPWATCH_TOKEN": ""]) == nil)
        #expect(try FixedAccessToken(environment: ["TRIPWATCH_TOKEN": "abc"]) != nil)
        #expect(throws: AccessTokenError.self) { try FixedAccessToken(environment: ["TRIPWATCH_TOKEN": "a b"]) }
    }
}
