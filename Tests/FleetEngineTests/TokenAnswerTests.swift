import FleetEngine
import FoundationEssentials
import Geo
import Testing

@Suite("Answers of token sources")
struct TokenAnswerTests {
    private let now = Date(timeIntervalSince1970: 1_935_756_000)

    private func reader(_ format: TokenAnswerFormat = TokenAnswerFormat()) -> TokenAnswerReader {
        TokenAnswerReader(format: format, origin: "test source")
    }

    private func complaint(_ text: String, _ format: TokenAnswerFormat = TokenAnswerFormat(), printed: Bool = false) -> String? {
        do throws(AccessTokenError) {
            _ = try printed ? reader(format).token(printed: text, now: now) : reader(format).token(text, now: now)
            return nil
        } catch {
            guard case .missingData(let words) = error else { return "\(error)" }
            return words
        }
    }

    @Test("the sample provider's answer is read")
    func sampleProvider() throws {
        let text = """
            { "tokenType": "CONSUMER", "jwt": "a.b.c", "creationTimestamp": 1935756000000, "expirationTimestamp": 1935759600000,
              "audience": "https://fleetengine.googleapis.com/", "authorizationClaims": { "trip_id": "t1" } }
            """
        let token = try reader().token(text, now: now)
        #expect(token.secret == "a.b.c")
        #expect(token.expiresAt == now.addingTimeInterval(3_600))
    }

    @Test(
        "the kind of expiry is inferred from its magnitude",
        arguments: [
            ("3600", 3_600.0), ("\"3600\"", 3_600), ("0", 0), ("1935759600", 3_600), ("1935759600.5", 3_600.5), ("1935759600000", 3_600),
            ("\"1935759600000\"", 3_600), ("1.9357596e12", 3_600),
        ])
    func guessing(number: String, seconds: Double) throws {
        let token = try reader().token("{\"jwt\":\"x\",\"expirationTimestamp\":\(number)}", now: now)
        #expect(token.expiresAt?.timeIntervalSince(now) == seconds)
    }

    @Test(
        "unit and kind of the expiry can be set, and so can the names of members",
        arguments: [
            (TokenAnswerFormat.Expiry.absoluteSeconds, "1935756060"), (.absoluteMilliseconds, "1935756060000"), (.relativeSeconds, "60"),
        ])
    func configured(expiry: TokenAnswerFormat.Expiry, number: String) throws {
        let format = TokenAnswerFormat(tokenKey: "access_token", expiryKey: "expires", expiry: expiry)
        let token = try reader(format).token("{\"access_token\":\"x\",\"expires\":\(number)}", now: now)
        #expect(token.secret == "x")
        #expect(token.expiresAt == now.addingTimeInterval(60))
    }

    @Test("a missing or invalid member is reported by name, without the token", arguments: TokenAnswerFormat.Expiry.allCases)
    func missing(expiry: TokenAnswerFormat.Expiry) {
        let format = TokenAnswerFormat(expiry: expiry)
        #expect(complaint("{\"token\":\"s3cret\"}", format) == "the test source provided JSON without \"jwt\"; the JSON has token")
        #expect(complaint("{}", format) == "the test source provided JSON without \"jwt\"; the JSON is empty")
        #expect(complaint("{\"jwt\":5}", format) == "the test source provided JSON in which \"jwt\" is not a string")
        #expect(
            complaint("{\"jwt\":\"s3cret\"}", format)
                == "the test source provided JSON without \"expirationTimestamp\"; the JSON has jwt")
        for value in ["\"soon\"", "true", "null", "[1]", "{}", "-1", "\"nan\"", "\"inf\"", "\"-1e308\""] {
            #expect(
                complaint("{\"jwt\":\"s3cret\",\"expirationTimestamp\":\(value)}", format)
                    == "the test source provided JSON in which \"expirationTimestamp\" is not a time", "\(value)")
        }
    }

    @Test("a member's name is not shown if it could be a token")
    func hiddenNames() {
        let secret = String(repeating: "k", count: 40)
        #expect(complaint("{\"\(secret)\":1,\"a\\u001bb\":2}") == "the test source provided JSON without \"jwt\"; the JSON has …, …")
    }

    @Test(
        "extreme numbers do not trap",
        arguments: ["1e308", "9223372036854775808", "1e400", "\"1e308\"", "99999999999999999999999"])
    func hugeNumbers(number: String) throws {
        for expiry in TokenAnswerFormat.Expiry.allCases {
            let format = TokenAnswerFormat(expiry: expiry)
            let token = try? reader(format).token("{\"jwt\":\"x\",\"expirationTimestamp\":\(number)}", now: now)
            if let token { #expect(TokenInspection(token, now: now).lines.contains { $0.contains("9999-12-31T23:59:59Z") }) }
        }
    }

    @Test("a JSON Web Token's own expiry is sufficient, and is used if it is earlier")
    func ownExpiry() throws {
        let secret = JSONWebTokens.make(claims: "{\"exp\":1935756100}")
        #expect(try reader().token("{\"jwt\":\"\(secret)\"}", now: now).expiresAt == now.addingTimeInterval(100))
        #expect(try reader().token(secret, now: now).expiresAt == now.addingTimeInterval(100))
        let both = try reader().token("{\"jwt\":\"\(secret)\",\"expirationTimestamp\":3600}", now: now)
        #expect(both.expiresAt == now.addingTimeInterval(100))
        let early = try reader().token("{\"jwt\":\"\(secret)\",\"expirationTimestamp\":50}", now: now)
        #expect(early.expiresAt == now.addingTimeInterval(50))
    }

    @Test("if a source gives no expiry, one can be set")
    func noExpiry() throws {
        #expect(try reader(TokenAnswerFormat(expiryKey: nil)).token("{\"jwt\":\"x\"}", now: now).expiresAt == nil)
    }

    @Test(
        "a token is read from an answer that contains only the token",
        arguments: ["s3cret", " s3cret\r\n", "\u{FEFF}s3cret\n", "\"s3cret\"", "\n\n{\"jwt\":\"s3cret\",\"expirationTimestamp\":9}\n"])
    func alone(text: String) throws {
        #expect(try reader().token(text, now: now).secret == "s3cret")
    }

    @Test(
        "text that is not a token is reported, but never shown",
        arguments: [
            ("", "provided no token"), (" \n\t", "provided no token"),
            ("<!doctype html><p>s3cret", "provided HTML or XML instead of a token"),
            ("{\"jwt\":\"s3cret\"", "provided malformed JSON"),
            ("[\"s3cret\"]", "provided a JSON array: it must provide a JSON object or the token alone"),
        ])
    func noToken(text: String, words: String) {
        #expect(complaint(text) == "the test source \(words)")
        #expect(complaint("two s3cret words")?.contains("s3cret") == false)
    }

    @Test(
        "a command's token is its last line, or the JSON at the end of its output",
        arguments: [
            "s3cret", "asking the agent\ns3cret\n", "asking\r\n\r\ns3cret\r\n\r\n", "{\"jwt\":\"s3cret\",\"expirationTimestamp\":9}",
            "note\n{\"jwt\":\"s3cret\",\"expirationTimestamp\":9}\n", "note\n{\n  \"jwt\": \"s3cret\",\n  \"expirationTimestamp\": 9\n}\n",
            "{\n  \"jwt\": \"s3cret\",\n  \"expirationTimestamp\": 9\n}\n",
        ])
    func printed(text: String) throws {
        #expect(try reader().token(printed: text, now: now).secret == "s3cret")
    }

    @Test("if a command prints nothing, or only words, the error says so")
    func printedNothing() {
        #expect(complaint("\n \n", printed: true) == "the test source printed nothing")
        #expect(complaint("no token for you", printed: true)?.contains("characters that a token cannot have") == true)
        #expect(complaint("almost\n}", printed: true) == "the test source provided neither JSON nor a token")
    }

    @Test("endlessly nested JSON is refused")
    func nested() {
        let deep = String(repeating: "{\"a\":", count: 20_000) + "1" + String(repeating: "}", count: 20_000)
        #expect(complaint(deep) == "the test source provided malformed JSON")
        #expect(complaint(deep, printed: true) != nil)
    }

    @Test("random bytes neither trap nor put a secret into an error")
    func anyBytes() {
        var random = SeededRandom(seed: 1)
        let pieces = [
            "{", "}", "\"", "jwt", ":", ",", "expirationTimestamp", "1e9", "-", "s3cret", " ", "\n", "\u{0}", "é", "[", "]", "<", "\\",
        ]
        for _ in 0..<2_000 {
            let text = (0..<random.int(in: 0...12)).map { _ in random.element(of: pieces) ?? "" }.joined()
            for printed in [false, true] {
                if let words = complaint(text, printed: printed), !text.contains("{") { #expect(!words.contains("s3cret"), "\(text)") }
            }
        }
    }
}
