import FleetEngine
import Testing

@Suite("Ids in addresses")
struct PercentEncodingTests {
    @Test(
        "Everything but unreserved characters is escaped, and comes back",
        arguments: [
            ("aZ09-._~", "aZ09-._~"), ("a/b c", "a%2Fb%20c"), ("50%", "50%25"), ("ü\u{1f697}", "%C3%BC%F0%9F%9A%97"), ("\n\0", "%0A%00"),
            ("", ""),
        ])
    func both(text: String, segment: String) {
        #expect(PercentEncoding.segment(text) == segment)
        #expect(PercentEncoding.text(segment) == text)
    }

    @Test("What is not escaped stays, and lower-case digits count")
    func lenient() {
        #expect(PercentEncoding.text("a/b+c%2f") == "a/b+c/")
        #expect(PercentEncoding.text("ü") == "ü")
    }

    @Test("A broken escape is no text", arguments: ["%", "%4", "a%zz", "%C3", "%ff", "%+1", "% 1", "%\u{ff11}1"])
    func broken(segment: String) { #expect(PercentEncoding.text(segment) == nil) }
}
