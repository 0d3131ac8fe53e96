import FleetEngine
import FleetEngineAPI
import FleetEngineGRPC
import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import SwiftProtobuf
import Testing

/// Certificates that the openssl program makes for one test run.
private struct Certificates {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=made-up authority", "-keyout", "ca.key", "-out",
            "ca.pem")
    }

    func make(_ name: String, alternativeName: String, expired: Bool = false) throws {
        try openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(name)", "-keyout", "\(name).key", "-out", "\(name).csr")
        try "subjectAltName=\(alternativeName)".write(to: folder.appending(path: "\(name).ext"), atomically: true, encoding: .utf8)
        var arguments = [
            "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "\(name).ext", "-out",
            "\(name).pem",
        ]
        arguments += ["-days", expired ? "-1" : "1"]
        try openssl(arguments)
    }

    func path(_ file: String) -> String { folder.appending(path: file).path }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    private func openssl(_ arguments: String...) throws { try openssl(arguments) }

    private func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments.joined(separator: " "))")
    }
}

private struct OneTrip: WireTripService.SimpleServiceProtocol {
    func getTrip(request: WireGetTripRequest, context: ServerContext) async throws -> WireTrip {
        .with { ($0.name, $0.tripStatus) = (request.name, .new) }
    }
    func createTrip(request: WireCreateTripRequest, context: ServerContext) async throws -> WireTrip { WireTrip() }
    func updateTrip(request: WireUpdateTripRequest, context: ServerContext) async throws -> WireTrip { WireTrip() }
    func searchTrips(request: WireSearchTripsRequest, context: ServerContext) async throws -> WireSearchTripsResponse { .init() }
    func reportBillableTrip(request: WireReportBillableTripRequest, context: ServerContext) async throws -> Google_Protobuf_Empty {
        .init()
    }
    func deleteTrip(request: WireDeleteTripRequest, context: ServerContext) async throws -> Google_Protobuf_Empty { .init() }
}

@Suite("TLS", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")), .timeLimit(.minutes(1)))
struct TLSTests {
    /// Makes one GetTrip call over TLS.
    private func call(
        certificates: Certificates, server name: String, host: String = "localhost", ca: String?
    ) async throws -> Result<Trip, FleetEngineError> {
        let transport = HTTP2ServerTransport.Posix(
            address: host == "[::1]" ? .ipv6(host: "::1", port: 0) : .ipv4(host: "127.0.0.1", port: 0),
            transportSecurity: .tls(
                certificateChain: [.file(path: certificates.path("\(name).pem"), format: .pem)],
                privateKey: .file(path: certificates.path("\(name).key"), format: .pem)))
        let server = GRPCServer(transport: transport, services: [OneTrip()])
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            defer { server.beginGracefulShutdown() }
            let address = try await transport.listeningAddress
            let port = try #require(address.ipv4?.port ?? address.ipv6?.port)
            let endpoint = try ServerEndpoint("\(host):\(port)", security: .tls(caFile: ca))
            let name = try TripName("providers/demo/trips/t1")
            return try await withFleetEngineClient(endpoint: endpoint, identity: .init(role: .consumer, version: "test"), tokens: nil) {
                client in
                do throws(FleetEngineError) {
                    return .success(try await client.getTrip(GetTripRequest(name: name)))
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    @Test("a private authority is trusted only if it is given")
    func privateAuthority() async throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        try certificates.make("good", alternativeName: "DNS:localhost")
        let trusted = try await call(certificates: certificates, server: "good", ca: certificates.path("ca.pem"))
        #expect(try trusted.get().status == .new)
        let untrusted = try await call(certificates: certificates, server: "good", ca: nil)
        expectCertificateTrouble(untrusted)
    }

    @Test("an IP address is verified as an address, and is not sent as a server name", arguments: ["127.0.0.1", "[::1]"])
    func addresses(host: String) async throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        try certificates.make("good", alternativeName: "IP:127.0.0.1,IP:0:0:0:0:0:0:0:1")
        try certificates.make("other", alternativeName: "DNS:localhost,IP:127.0.0.2")
        let ca = certificates.path("ca.pem")
        #expect(try await call(certificates: certificates, server: "good", host: host, ca: ca).get().status == .new)
        expectCertificateTrouble(try await call(certificates: certificates, server: "other", host: host, ca: ca))
    }

    @Test("another host's certificate and an expired one require the user")
    func wrongHostAndExpired() async throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        try certificates.make("other", alternativeName: "DNS:example.com")
        try certificates.make("old", alternativeName: "DNS:localhost", expired: true)
        expectCertificateTrouble(try await call(certificates: certificates, server: "other", ca: certificates.path("ca.pem")))
        expectCertificateTrouble(try await call(certificates: certificates, server: "old", ca: certificates.path("ca.pem")))
    }

    private func expectCertificateTrouble(_ result: Result<Trip, FleetEngineError>) {
        guard case .failure(let error) = result else {
            Issue.record("accepted")
            return
        }
        #expect(error.origin == .tls && error.message.contains("certificate"), "\(error)")
        #expect(error.errorClass() == .actionRequired(.checkCertificate))
    }
}
