import Foundation
import Testing

@testable import ProgramHarness

@Suite(
    "Links over TLS",
    .enabled(if: WebClient.path != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")), .timeLimit(.minutes(2)))
struct SecureLinkTests {
    @Test("browsers are told to use only TLS if share uses it itself, but not for localhost", arguments: [true, false])
    func strictTransport(isSecure: Bool) throws {
        let folder = try Folder()
        try GuardedServer.makeCertificate(in: folder.path)
        let server = try LocalServer()
        defer { server.stop() }
        let trip = try #require(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98"))
        let files = ["--tls-cert", folder.path + "/cert.pem", "--tls-key", folder.path + "/key.pem"]
        let sharing = try Program().start(
            ["share", trip, "--http-port", "0"] + (isSecure ? files : []) + server.connection, setting: ["XDG_RUNTIME_DIR": folder.path])
        defer { sharing.stop() }
        let link = try #require(sharing.line()?.split(separator: " ").last.map(String.init))
        #expect(link.hasPrefix(isSecure ? "https://127.0.0.1:" : "http://127.0.0.1:"))
        let warning = try #require(LineWatch(sharing.errors).line(with: "opens only on this computer"))
        #expect(warning.contains("--listen ") && warning.contains("--allow-plaintext") != isSecure, "\(warning)")
        // With TLS, the answer for the link's data (`.json`) has the header below, and so has the answer for an address with a wrong secret
        // (`x`). Without TLS, neither answer has it.
        for path in [".json", "x"] {
            let answer = try WebClient.get(link + path, "-k")
            #expect(answer.headers.contains("strict-transport-security: max-age=86400") == isSecure, "\(answer.headers)")
        }
        let local = try WebClient.get(link.replacing("127.0.0.1", with: "localhost") + ".json", "-k")
        #expect(!local.headers.contains { $0.hasPrefix("strict-transport-security") }, "\(local.headers)")
        withExtendedLifetime(folder) {}
    }
}
