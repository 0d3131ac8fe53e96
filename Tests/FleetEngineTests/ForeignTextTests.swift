import Testing

@testable import FleetEngine

@Suite("Text from others")
struct ForeignTextTests {
    @Test("the text becomes one printable line of limited length")
    func line() {
        #expect(ForeignText.line("a\u{1B}[2Jb\r\nc\u{202E}d\u{200B}e\u{0}") == "a [2Jb  cde ")
        #expect(ForeignText.line(String(repeating: "x", count: 500), limit: 10) == "xxxxxxxxxx…")
        #expect(ForeignText.line("naïve 東京") == "naïve 東京")
    }

    @Test(
        "words that look like secrets are hidden, other words remain",
        arguments: [
            ("curl: (22) The requested URL returned error: 401", "curl: (22) The requested URL returned error: 401"),
            ("denied for eyJhbGciOiJub25lIn0.e30.x", "denied for …"), ("Authorization: Bearer abc", "Authorization: Bearer …"),
            ("GET https://user:pw@example.com/a?key=k1#f failed", "GET https://example.com/a?… failed"),
            ("key AIzaSyA1234567890abcdefghijklmnopqrs is wrong", "key … is wrong"),
            ("no trip 123e4567-e89b-12d3-a456-426614174000", "no trip 123e4567-e89b-12d3-a456-426614174000"),
            (
                "/usr/lib/a-long/path/to/some/credential/helper.sh: not found",
                "/usr/lib/a-long/path/to/some/credential/helper.sh: not found"
            ),
        ])
    func redaction(text: String, shown: String) {
        #expect(ForeignText.redactedLine(text) == shown)
    }

    @Test("a known secret hides the whole line, even if the limit cuts it off")
    func knownSecret() {
        let text = "refused token sesame" + String(repeating: " x", count: 300)
        #expect(!ForeignText.redactedLine(text, secrets: ["sesame"]).contains("sesame"))
        #expect(ForeignText.redactedLine("fine", secrets: ["sesame", ""]) == "fine")
    }

    @Test("addresses of this machine are told from similar ones")
    func loopback() {
        for host in ["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "::1", "[::1]"] { #expect(LoopbackHost.contains(host)) }
        for host in ["127.0.0.1.example.com", "localhost.example.com", "128.0.0.1", "127.1", "127.0.0.256", "", "0.0.0.0"] {
            #expect(!LoopbackHost.contains(host))
        }
    }
}
