import FleetEngine
import FoundationEssentials
import Glibc
import ProviderBackend
import Testing
import TripTesting

@Suite("Tokens from a file", .timeLimit(.minutes(1)))
struct FileAccessTokenTests {
    private let time = ManualTimeSource()
    private let context = AuthorizationContext(tripID: "t1")

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func write(_ text: String, _ path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    private func complaint(_ path: String) async -> String? {
        do throws(AccessTokenError) {
            _ = try await FileAccessToken(path: path, time: time).fetchToken(context)
            return nil
        } catch {
            return error.isRetryable ? nil : error.description
        }
    }

    @Test("the file contains the token alone, or JSON")
    func contents() async throws {
        try await withFolder { folder in
            let path = folder + "/token"
            let source = FileAccessToken(path: path, time: time)
            try write("s3cret\n", path)
            #expect(try await source.fetchToken(context).secret == "s3cret")
            try write(#"{"jwt":"other","expirationTimestamp":60}"#, path)
            let token = try await source.fetchToken(context)
            #expect(token.secret == "other" && token.expiresAt == time.now().addingTimeInterval(60))
        }
    }

    @Test("the cache notices a change at once, even if the file is replaced or is a link")
    func changes() async throws {
        try await withFolder { folder in
            let (path, link) = (folder + "/token", folder + "/link")
            try write("first", path)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            let cache = AccessTokenCache(provider: FileAccessToken(path: link, time: time), time: time)
            #expect(try await cache.token(for: context).secret == "first")
            #expect(try await cache.token(for: context).secret == "first")
            time.advance(by: 2)
            try write("second", folder + "/new")
            #expect(rename(folder + "/new", path) == 0)
            #expect(try await cache.token(for: context).secret == "second")
            time.advance(by: 2)
            try write("third", path)
            #expect(try await cache.token(for: context).secret == "third")
        }
    }

    @Test("a token that is still valid is used although its file is gone")
    func gone() async throws {
        try await withFolder { folder in
            let path = folder + "/token"
            try write("first", path)
            let cache = AccessTokenCache(provider: FileAccessToken(path: path, time: time), time: time)
            _ = try await cache.token(for: context)
            time.advance(by: 2)
            unlink(path)
            #expect(try await cache.token(for: context).secret == "first")
        }
    }

    @Test("a file that cannot be a token file is reported with a message, and nothing waits")
    func refused() async throws {
        try await withFolder { folder in
            let path = folder + "/token"
            #expect(await complaint(path) == "the token file \(path) does not exist")
            #expect(mkfifo(path, 0o600) == 0)
            #expect(await complaint(path) == "the token file \(path) is not a regular file")
            #expect(await complaint(folder) == "the token file \(folder) is not a regular file")
            unlink(path)
            try write("", path)
            #expect(await complaint(path) == "the token file \(path) provided no token")
            try write(String(repeating: "x", count: AccessToken.maximumBytes + 1), path)
            #expect(await complaint(path) == "the token file \(path) is larger than any token")
            try write("two words", path)
            #expect(await complaint(path)?.contains("characters that a token cannot have") == true)
            try Data([0xff, 0xfe, 0x00]).write(to: URL(filePath: path))
            #expect(await complaint(path) != nil)
        }
    }
}
