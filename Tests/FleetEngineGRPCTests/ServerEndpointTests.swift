import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import Testing
import TripTesting

@Suite("Server endpoints")
struct ServerEndpointTests {
    @Test(
        "valid forms are read",
        arguments: [
            ("127.0.0.1:50051", "127.0.0.1", 50_051), ("fleetengine.googleapis.com", "fleetengine.googleapis.com", 443),
            ("[::1]:8080", "::1", 8_080),
            ("[::1]", "::1", 443), ("::1", "::1", 443), ("localhost:1", "localhost", 1),
        ])
    func read(text: String, host: String, port: Int) throws {
        let endpoint = try ServerEndpoint(text, security: .plaintext)
        #expect(endpoint.host == host)
        #expect(endpoint.port == port)
    }

    @Test(
        "invalid forms are refused",
        arguments: ["", ":1", "host:", "host:0", "host:65536", "host:x", "[::1", "[::1]x", "a b:1", "http://host:1"])
    func refused(text: String) { #expect(throws: ServerEndpointError.self) { try ServerEndpoint(text, security: .plaintext) } }

    @Test("addresses of this machine and of Google are recognised")
    func kinds() throws {
        for text in ["127.0.0.1:1", "127.9.9.9:1", "localhost:1", "[::1]:1"] {
            #expect(try ServerEndpoint(text, security: .plaintext).isLoopback)
        }
        for text in ["128.0.0.1:1", "127.0.0.1.example:1", "example.com:1", "[::2]:1"] {
            #expect(try !ServerEndpoint(text, security: .plaintext).isLoopback)
        }
        #expect(ServerEndpoint.google.isGoogle)
        #expect(try !ServerEndpoint("fakegoogleapis.com:443", security: .plaintext).isGoogle)
    }

    @Test("a token is not sent in plaintext to another machine")
    func plaintextToken() async throws {
        let endpoint = try ServerEndpoint("192.0.2.1:50051", security: .plaintext)
        let cache = AccessTokenCache(provider: try FixedAccessToken(secret: "abc", origin: "test"), time: SystemTimeSource())
        await #expect(throws: PlaintextTokenError.self) {
            try await withFleetEngineClient(endpoint: endpoint, identity: .init(role: .consumer, version: "test"), tokens: cache) { _ in }
        }
    }

    @Test("a CA file that cannot be used is reported before anything is sent", arguments: [nil, "", "-----BEGIN CERTIFICATE-----\nnone\n"])
    func unusableCA(text: String?) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tripwatch-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        if let text { try Data(text.utf8).write(to: file) }
        let endpoint = try ServerEndpoint("localhost:\(try UnansweredPort().number)", security: .tls(caFile: file.path))
        let name = try TripName("providers/p/trips/t")
        let error = await #expect(throws: FleetEngineError.self) {
            try await withFleetEngineClient(endpoint: endpoint, identity: .init(role: .consumer, version: "test"), tokens: nil) { client in
                _ = try await client.getTrip(GetTripRequest(name: name))
            }
        }
        #expect(error?.origin == .tls, "\(String(describing: error))")
    }

    @Test("a refused connection can be retried, and the error says so")
    func refusedConnection() async throws {
        let port = try UnansweredPort()
        let endpoint = try ServerEndpoint("127.0.0.1:\(port.number)", security: .plaintext)
        let name = try TripName("providers/p/trips/t")
        try await withFleetEngineClient(endpoint: endpoint, identity: .init(role: .consumer, version: "test"), tokens: nil) { client in
            do throws(FleetEngineError) {
                _ = try await client.getTrip(GetTripRequest(name: name))
                Issue.record("nobody listens there")
            } catch {
                #expect(error.code == .unavailable)
                #expect(error.origin == .network)
                #expect(error.message == "127.0.0.1:\(port.number): connection refused")
                #expect(error.errorClass() == .retryable)
            }
        }
    }
}
