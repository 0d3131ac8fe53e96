import FleetEngine
import Foundation
import Glibc
import ProviderBackend
import Testing

/// Runs the openssl program as a server with a self-signed certificate.
private final class SelfSignedServer {
    let folder: URL
    let port: Int
    private let process = Process()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let maker = Process()
        maker.executableURL = URL(filePath: "/usr/bin/openssl")
        maker.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem",
        ]
        maker.currentDirectoryURL = folder
        maker.standardError = FileHandle.nullDevice
        try maker.run()
        maker.waitUntilExit()
        let output = Pipe()
        process.executableURL = maker.executableURL
        process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-key", "key.pem", "-cert", "cert.pem", "-www"]
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        let line = text.split(separator: "\n").last { $0.contains("ACCEPT") }
        port = line?.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }

    func stop() {
        // The process may have inherited a signal mask that blocks TERM.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}

@Suite(
    "TLS to provider and token URL", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")), .timeLimit(.minutes(1))
)
struct TLSTests {
    @Test("an IP address is not sent as a server name, but its certificate is checked")
    func address() async throws {
        let server = try SelfSignedServer()
        defer { server.stop() }
        let client = ProviderBackendClient(address: try #require(ProviderBackendClient.Address("https://127.0.0.1:\(server.port)")))
        do throws(ProviderBackendError) {
            _ = try await client.trip("t1")
            Issue.record("accepted")
        } catch {
            #expect(error.description.hasSuffix("(its certificate is not accepted)"), "\(error)")
        }
    }

    @Test("an untrusted certificate is refused, once, and the user is informed")
    func selfSigned() async throws {
        let server = try SelfSignedServer()
        defer { server.stop() }
        try #require(server.port > 0)
        let address = "https://localhost:\(server.port)"
        let client = ProviderBackendClient(address: try #require(ProviderBackendClient.Address(address)))
        do throws(ProviderBackendError) {
            _ = try await client.trip("t1")
            Issue.record("accepted")
        } catch {
            #expect(error.description == "the connection to the provider at \(address) is not safe (its certificate is not accepted)")
            #expect(error.fleetEngineError.errorClass() == .actionRequired(.checkCertificate))
            #expect(!error.mayHaveHappened)
        }
        let source = URLAccessToken(try TokenURL(address + "/token"))
        await #expect(
            throws: AccessTokenError.refused(
                "the connection to the token URL \(address)/token is not safe: its certificate is not accepted")
        ) {
            try await source.fetchToken(AuthorizationContext())
        }
    }
}
