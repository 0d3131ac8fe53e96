import FleetEngine
import Foundation
import ProviderBackend
import Testing
import TripTesting

@Suite("Headers from a file", .timeLimit(.minutes(1)))
struct HeaderFileTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "tripwatch-headers-\(UUID().uuidString)").path

    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    @Test("both clients read the file again for each request, and skip comments and empty lines")
    func read() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await ScriptedHTTPServer.with { request, _ in
            .reply(
                200,
                request.path.hasPrefix("/token")
                    ? #"{"jwt":"a.b.c","expirationTimestamp":1999999999000}"#
                    : #"{"trip":{"name":"providers/p/trips/t","tripStatus":"NEW"}}"#
            )
        } _: { server in
            try write("# mine\n\n  # and more\nX-Api-Key: first\r\nx-other:  two  words\n")
            let file = HeaderFile(path: path)
            let address = try #require(ProviderBackendClient.Address(server.address))
            let provider = ProviderBackendClient(address: address, headers: [("x-plain", "p")], headerFile: file)
            _ = try? await provider.trip("t")
            try write("X-Api-Key: second")
            _ = try? await provider.trip("t")
            let source = URLAccessToken(try TokenURL(server.address + "/token"), headerFile: file)
            _ = try await source.fetchToken(AuthorizationContext(tripID: "t"))
            #expect(server.requests.map { $0.headers["x-api-key"] } == ["first", "second", "second"])
            #expect(server.requests.first?.headers["x-other"]?.hasPrefix("two  words") == true)
            #expect(server.requests.first?.headers["x-plain"] == "p")
        }
    }

    @Test("a header that is given replaces those of the same name in the file, for the provider and the token address")
    func replaced() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await ScriptedHTTPServer.with { _, _ in
            .reply(403, "{}")
        } _: { server in
            try write("authorization: Bearer of-the-file\nX-Other: o\n")
            let file = HeaderFile(path: path)
            let own = [(name: "Authorization", value: "Bearer given")]
            let address = try #require(ProviderBackendClient.Address(server.address))
            _ = try? await ProviderBackendClient(address: address, headers: own, headerFile: file).trip("t")
            let source = URLAccessToken(try TokenURL(server.address + "/token"), headers: own, headerFile: file)
            _ = try? await source.fetchToken(AuthorizationContext(tripID: "t"))
            #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer given", "Bearer given"])
            #expect(server.requests.map { $0.headers["x-other"] } == ["o", "o"])
        }
    }

    @Test(
        "a file without usable headers is reported in a sentence, without its contents",
        arguments: [
            (nil, "does not exist"), ("X: y\nsecret without a colon", "line 2 of the header file"), ("X y: z", "line 1 of the header file"),
            (String(repeating: "a: b\n", count: 20_000), "is larger than 64 KiB"),
        ])
    func bad(text: String?, words: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        if let text { try write(text) }
        let error = #expect(throws: HeaderFileError.self) { try HeaderFile(path: path).lines() }
        #expect(error?.description.contains(words) == true && error?.description.contains("secret") == false)
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, "{}")
        } _: { server in
            let address = try #require(ProviderBackendClient.Address(server.address))
            let provider = ProviderBackendClient(address: address, headerFile: HeaderFile(path: path))
            await #expect(throws: ProviderBackendError.self) { try await provider.trip("t") }
            let source = URLAccessToken(try TokenURL(server.address + "/token"), headerFile: HeaderFile(path: path))
            let refused = await #expect(throws: AccessTokenError.self) { try await source.fetchToken(AuthorizationContext(tripID: "t")) }
            #expect(refused?.isRetryable == false)
            #expect(server.requests.isEmpty)
        }
    }
}
