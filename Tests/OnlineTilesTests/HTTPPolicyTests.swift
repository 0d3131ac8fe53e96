import Testing

@testable import HTTPCalls

@Suite("HTTP clients")
struct HTTPPolicyTests {
    @Test("requests of one policy share a client, and other requests have another")
    func shared() {
        #expect(HTTPPolicy.once.client === HTTPPolicy(requestsPerConnection: 1).client)
        #expect(HTTPPolicy.once.client !== HTTPPolicy.kept.client)
    }
}
