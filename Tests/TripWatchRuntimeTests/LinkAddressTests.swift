import Testing

@testable import ProgramHarness
@testable import TripWatchLinks

@Suite("Addresses of links")
struct LinkAddressTests {
    @Test(
        "text after a pasted link is not part of it",
        arguments: ["", "/", ".json", "/events", "?cols=80", "#x", ")", ").", "%29", ",", "'"])
    func pasted(tail: String) {
        let link = LinkAddress("https://rides.example:8443/where/s/AbC-_9" + tail)
        #expect(link?.text == "https://rides.example:8443/where/s/AbC-_9" && link?.host == "rides.example:8443")
    }

    @Test(
        "other addresses are not links",
        arguments: ["", "AbC", "ftp://a/s/b", "https://u@a/s/b", "https://a/t/b", "/s/b", "https://a/s/", "https://a/s/?"])
    func others(text: String) { #expect(LinkAddress(text) == nil) }

    @Test(
        "for a link that opens only on this computer, the program says so, and how others can reach it; for a public address it says nothing"
    )
    func loopback() throws {
        let server = try LocalServer()
        defer { server.stop() }
        let trip = try #require(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98"))
        let cases: [(options: [String], isTold: Bool)] = [([], true), (["--public-url", "https://rides.example/where"], false)]
        for (options, isTold) in cases {
            let arguments = ["share", trip, "--http-port", "0", "--qr"] + options + server.connection
            let sharing = try server.program.start(arguments)
            defer { sharing.stop() }
            let errors = LineWatch(sharing.errors)
            #expect(errors.line(with: "The link ends") != nil)
            let warning = errors.all.first { $0.contains("opens only on this computer") }
            #expect((warning != nil) == isTold && warning?.contains("--public-url") != false && warning?.contains("--listen") != false)
        }
    }
}
