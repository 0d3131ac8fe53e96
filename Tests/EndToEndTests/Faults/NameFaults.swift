import Foundation
import Testing
import TripTesting

@testable import ProgramHarness

/// A server with TLS. It provides tokens and takes bookings, but has no tiles and receives no events.
struct CertifiedServer: Sendable {
    private let server: LocalServer
    private let folder: Folder

    var address: String { "https://\(server.http)" }

    /// Starts a server with a new certificate.
    init(_ certificate: FaultCertificate) throws {
        folder = try Folder()
        // If two authorities in a CA file had the same name, programs would try only the first one.
        try certificate.make(in: folder.path, subject: "Another server")
        server = try LocalServer(options: ["--tls-cert", folder.path + "/cert.pem", "--tls-key", folder.path + "/key.pem"])
    }

    func stop() { server.stop() }

    /// Writes a CA file with the certificates of this server and of the scene's engine.
    func writeCertificates(to path: String, in scene: FaultScene) throws {
        let files = [scene.servers.folder.path, folder.path].map { URL(filePath: $0 + "/cert.pem") }
        let certificates = try files.map { try Data(contentsOf: $0) }
        try Data(certificates.joined()).write(to: URL(filePath: path))
    }
}

/// Faults of a server that is not the engine: its name cannot be resolved, or its certificate is not valid. The engine has
/// no fault. It uses TLS because every row passes `--ca`, which cannot be combined with `--plaintext`.
enum NameFaults {
    /// The servers of the rows.
    struct Servers: Sendable {
        let good: CertifiedServer
        let expired: CertifiedServer
        let otherHost: CertifiedServer

        init() throws {
            good = try CertifiedServer(.good)
            expired = try CertifiedServer(.expired)
            otherHost = try CertifiedServer(.otherHost)
        }

        func stop() { for server in [good, expired, otherHost] { server.stop() } }
    }

    private struct Fault {
        let name: String
        let server: CertifiedServer?
        /// Whether the CA file contains the server's certificate.
        var isTrusted = true
        /// The consequence of the fault and its reason, which all commands print.
        var consequence = "is not safe"
        var reason = "its certificate is not accepted"
        /// The text in the corner of a map.
        var corner = "map: bad certificate"
        /// The exit code of `status` if the fault prevents it from getting a token.
        var tokenCode: Int32 = 4

        var address: String { server?.address ?? "https://no-such-host.invalid" }
    }

    private static let engine = ["--endpoint", "{engine}"]
    private static let book = ["book", "--from", "-36.005,-19.99", "--to", "-36.01,-19.98", "--provider-url"]

    private static func row(
        _ command: String, _ fault: Fault, _ words: String, _ course: FaultRow.Course, _ arguments: [String], isOnScreen: Bool = false
    ) -> FaultRow {
        var row = FaultRow(
            command: command, fault: fault.name, side: .safeEngine, words: words, course: course,
            arguments: arguments + ["--ca", fault.isTrusted ? "{ca}.{id}" : "{ca}"], isOnScreen: isOnScreen,
            setting: ["XDG_CACHE_HOME": "{folder}"])
        if let server = fault.server {
            row.prepare = { try server.writeCertificates(to: $0.filled("{ca}.{id}"), in: $0) }
        }
        return row
    }

    private static func statusRow(_ fault: Fault, _ words: String, ends code: Int32) -> FaultRow {
        let source = ["--token-url", fault.address + "/token/consumer/{tripID}"]
        return row("status with a token address", fault, words, .ends(code), ["status", "{trip}"] + source + engine)
    }

    /// Creates a row in which the receiver of the hook fails. The trip's news is still printed.
    private static func hookRow(_ fault: Fault, _ words: String) -> FaultRow {
        let arguments = ["follow", "{trip}", "--output", "plain", "--interval", "1", "--hook", fault.address + "/hook"] + engine
        var row = Self.row("follow with a hook", fault, words, .recovers(news: "moving"), arguments)
        row.meanwhile = { try $0.setStatus("ENROUTE_TO_PICKUP") }
        return row
    }

    /// Creates a row in which the map has no tiles. The trip's news is still shown.
    private static func mapRow(_ fault: Fault) -> FaultRow {
        let arguments = ["follow", "{trip}", "--interval", "1", "--basemap", fault.address + "/{z}/{x}/{y}.pbf"] + engine
        var row = Self.row("follow with a map", fault, fault.corner, .recovers(news: "On the way to you"), arguments, isOnScreen: true)
        row.meanwhile = { try $0.sendCar() }
        return row
    }

    private static func failingRows(_ fault: Fault) -> [FaultRow] {
        let (words, server) = ("\(fault.consequence) (\(fault.reason)).", fault.address)
        let subject = fault.server == nil ? "the provider" : "the connection to the provider"
        return [
            statusRow(fault, "\(fault.consequence): \(fault.reason)", ends: fault.tokenCode),
            hookRow(fault, "cannot be reached (\(fault.reason)); retrying."), mapRow(fault),
            row(
                "cancel", fault, "Not cancelled: \(subject) at \(server) \(words)", .ends(1), ["cancel", "{id}", "--provider-url", server]),
            row("book", fault, "Not booked: \(subject) at \(server) \(words)", .ends(1), book + [server]),
            row("phone", fault, "Not set up: ", .ends(1), ["phone", "{vehicle}", "--plain", "--provider-url", server]),
        ]
    }

    /// The rows for a server with a valid certificate. They show that the other rows fail because of the certificate.
    private static func validRows(_ server: CertifiedServer?) -> [FaultRow] {
        let valid = Fault(name: "valid certificate", server: server)
        return [
            statusRow(valid, "", ends: 0), hookRow(valid, "answers with HTTP 404: events that get this answer are dropped."),
            row("cancel", valid, "(HTTP 404: no trip is named", .ends(3), ["cancel", "{id}", "--provider-url", valid.address]),
            row("book", valid, "", .ends(0), book + [valid.address]),
        ]
    }

    /// Creates all rows.
    /// - Parameter servers: the servers; nil if only the names of the rows are needed.
    static func rows(at servers: Servers?) -> [FaultRow] {
        let unresolved = Fault(
            name: "unknown name", server: nil, isTrusted: false, consequence: "does not answer",
            reason: "the name no-such-host.invalid cannot be resolved", corner: "map: offline", tokenCode: 1)
        var follow = row(
            "follow with a token address", unresolved, "The token source gave no token", .stays,
            ["follow", "{trip}", "--output", "plain", "--token-url", unresolved.address + "/{tripID}"] + engine)
        follow.absent = ["stopped"]
        let faults = [
            unresolved, Fault(name: "certificate of an unknown issuer", server: servers?.good, isTrusted: false),
            Fault(name: "certificate that has expired", server: servers?.expired),
            Fault(name: "certificate of another host", server: servers?.otherHost, reason: "its certificate is for another host"),
        ]
        return faults.flatMap(failingRows) + validRows(servers?.good) + [follow]
    }
}

@Suite("Fault table: names and certificates", .timeLimit(.minutes(10)), .enabled(if: hasOpenSSL))
struct NameFaultTableTests {
    @Test("each command says why it does not use a server whose name or certificate is wrong, and goes on if it can")
    func names() async throws {
        let servers = try await background { try NameFaults.Servers() }
        defer { servers.stop() }
        try await FaultTable.run(NameFaults.rows(at: servers), certificate: .good)
    }
}
