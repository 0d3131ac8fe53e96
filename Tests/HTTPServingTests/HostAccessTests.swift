import NIOCore
import Testing

@testable import HTTPServing

@Suite("The host names of a server")
struct HostAccessTests {
    @Test("a page from another port of the same host is foreign; a page from the public address is the server's own")
    func ports() throws {
        let access = HostAccess(publicURL: WebOrigin("https://desk.example:8443"))
        for (origin, authority, isAllowed) in [
            ("http://192.0.2.7:8080", "192.0.2.7:8080", true), ("http://192.0.2.7:8081", "192.0.2.7:8080", false),
            ("http://192.0.2.7", "192.0.2.7:80", true), ("https://192.0.2.7", "192.0.2.7", true),
            ("https://192.0.2.7", "192.0.2.7:80", false),
            ("https://desk.example:8443", "127.0.0.1:8080", true), ("https://desk.example", "127.0.0.1:8080", false),
            ("http://[2001:db8::7]:80", "[2001:DB8::7]", true),
        ] {
            #expect(access.allows(origin: origin, authority: authority) == isAllowed, "\(origin) at \(authority)")
        }
    }

    @Test("the listen address is the server's own; 0.0.0.0 and :: mean every address of this machine and no other")
    func listenAddress() throws {
        let access = HostAccess()
        #expect(access.knows(host: "192.0.2.7", listening: "192.0.2.7"))
        #expect(!access.knows(host: "192.0.2.8", listening: "192.0.2.7"))
        #expect(access.knows(host: "2001:DB8::7", listening: "2001:db8::7"))
        let own = try System.enumerateDevices().compactMap { $0.address?.ipAddress }
        #expect(!own.isEmpty)
        for address in own {
            #expect(access.knows(host: address, listening: "0.0.0.0") && access.knows(host: address, listening: "::"), "\(address)")
        }
        #expect(!access.knows(host: "192.0.2.7", listening: "0.0.0.0"))
        #expect(!access.knows(host: "evil.example", listening: "::"))
    }
}
