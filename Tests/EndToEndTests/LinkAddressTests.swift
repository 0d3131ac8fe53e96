import Testing

@testable import TripWatchRuntime

@Suite("Addresses of links")
struct LinkAddressTests {
    @Test(
        "what stands behind a link as it was pasted is not of it",
        arguments: ["", "/", ".json", "/events", "?cols=80", "#x", ")", ").", "%29", ",", "'"])
    func pasted(tail: String) {
        let link = LinkAddress("https://rides.example:8443/where/s/AbC-_9" + tail)
        #expect(link?.text == "https://rides.example:8443/where/s/AbC-_9" && link?.host == "rides.example:8443")
    }

    @Test("what is no link is none", arguments: ["", "AbC", "ftp://a/s/b", "https://u@a/s/b", "https://a/t/b", "/s/b"])
    func others(text: String) { #expect(LinkAddress(text) == nil) }
}
