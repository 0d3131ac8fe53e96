import FleetEngine
import Testing

@Suite("Ids in addresses")
struct PercentEncodingTests {
    @Test(
        "All but unreserved characters are escaped, and decoded again",
        arguments: [
            ("aZ09-._~", "aZ09-._~"), ("a/b c", "a%2Fb%20c"), ("50%", "50%25"), ("ü\u{1f697}", "%C3%BC%F0%9F%9A%97"), ("\n\0", "%0A%00"),
            ("", ""),
        ])
    func both(text: String, segment: String) {
        #expect(PercentEncoding.segment(text) == segment)
        #expect(PercentEncoding.text(segment) == text)
    }

    @Test("Characters that are not escaped remain, and lower-case digits are accepted")
    func lenient() {
        #expect(PercentEncoding.text("a/b+c%2f") == "a/b+c/")
        #expect(PercentEncoding.text("ü") == "ü")
    }

    @Test("An invalid escape is refused", arguments: ["%", "%4", "a%zz", "%C3", "%ff", "%+1", "% 1", "%\u{ff11}1"])
    func broken(segment: String) { #expect(PercentEncoding.text(segment) == nil) }
}
