import Foundation
import Testing
import TripTesting

@testable import ProgramHarness

/// The servers that the proxies of a group of scenarios call. They simulate no cars.
struct FaultServers: Sendable {
    let enginePort: Int
    let deskPort: Int
    /// The ports of an engine with TLS, and of its provider API; 0 if there is no such engine.
    let safePort: Int
    let safeDeskPort: Int
    let web: ScriptedHTTPServer
    /// The links to a shared trip and a shared shipment; nil if none is shared.
    let link: URL?
    let shipmentLink: URL?
    /// The folder with `cert.pem`, the certificate that the engine with TLS uses.
    let folder: Folder

    var webPort: Int { web.port }

    func port(_ side: FaultRow.Side) -> Int {
        switch side {
        case .engine, .own: enginePort
        case .safeEngine: safePort
        case .desk: deskPort
        case .safeDesk: safeDeskPort
        case .web: webPort
        case .link: link?.port ?? 0
        }
    }

    /// - Parameters:
    ///   - certificate: the certificate of the engine with TLS; nil if there is no such engine.
    ///   - sharesTrip: whether a trip and a shipment are shared. Their links use the same certificate.
    static func with(
        _ certificate: FaultCertificate?, sharesTrip: Bool, _ body: (FaultServers) async throws -> Void
    ) async throws {
        let folder = try Folder()
        let plain = try await background { try LocalServer(speed: 10) }
        defer { plain.stop() }
        try certificate?.make(in: folder.path)
        let files = ["--tls-cert", folder.path + "/cert.pem", "--tls-key", folder.path + "/key.pem"]
        let safe: LocalServer? = try await certificate == nil ? nil : background { try LocalServer(speed: 10, options: files) }
        defer { safe?.stop() }
        let ofLink = certificate == nil ? [] : files
        let sharing: Sharing? = try await sharesTrip ? background { try share(book(at: plain), at: plain, folder, ofLink) } : nil
        defer { sharing?.running.stop() }
        let map = VillageMap()
        try await ScriptedHTTPServer.with { request, _ in
            request.method == "GET" ? map.answer(request) : .reply(200, "{}")
        } _: { web in
            try await body(
                FaultServers(
                    enginePort: port(of: plain.grpc), deskPort: port(of: plain.http), safePort: safe.map { try port(of: $0.grpc) } ?? 0,
                    safeDeskPort: safe.map { try port(of: $0.http) } ?? 0, web: web, link: sharing?.link,
                    shipmentLink: sharing?.shipmentLink, folder: folder))
        }
    }

    /// Returns the same servers, but with the engine of one scenario.
    func with(_ engine: FaultEngine) -> FaultServers {
        FaultServers(
            enginePort: engine.port, deskPort: engine.deskPort, safePort: safePort, safeDeskPort: safeDeskPort, web: web,
            link: engine.sharing?.link, shipmentLink: engine.sharing?.shipmentLink, folder: folder)
    }

    /// A running program that shares a trip and a shipment.
    struct Sharing: Sendable {
        let running: Program.Running
        let link: URL
        let shipmentLink: URL
    }

    /// Books a trip without a car.
    private static func book(at server: LocalServer) throws -> String {
        try #require(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98"))
    }

    /// Starts a program that shares a trip and a new shipment. The id of the shipment's task is the id of the trip.
    /// - Parameter options: further options of the program.
    static func share(_ trip: String, at server: LocalServer, _ folder: Folder, _ options: [String] = []) throws -> Sharing {
        let id = trip.split(separator: "/").last.map(String.init) ?? ""
        let shipment = FaultShipment(id: id, calls: try RESTCalls(server.http))
        try shipment.make()
        let running = try Program().start(
            ["share", trip, shipment.name, "--http-port", "0", "--interval", "1"] + options + server.connection,
            setting: ["XDG_RUNTIME_DIR": folder.path])
        let lines = [running.line(), running.line()].compactMap { $0 }
        func link(to name: String) throws -> URL {
            let words = lines.first { $0.hasPrefix(name) }?.split(separator: " ") ?? []
            return try #require(words.last.flatMap { URL(string: String($0)) }, "\(lines)")
        }
        return Sharing(running: running, link: try link(to: trip), shipmentLink: try link(to: shipment.name))
    }

    static func port(of address: String) throws -> Int {
        try #require(address.split(separator: ":").last.flatMap { Int($0) }, "\(address)")
    }
}

/// A self-signed certificate. Clients accept the good one, and refuse the others.
enum FaultCertificate: Sendable {
    case good
    case expired
    case otherHost

    /// Writes the certificate and its key into a folder.
    func make(in folder: String, subject: String = "localhost") throws {
        let name = self == .otherHost ? "DNS:other.invalid" : "DNS:localhost,IP:127.0.0.1"
        try Data("subjectAltName=\(name)\n".utf8).write(to: URL(filePath: folder + "/names"))
        try openssl(
            ["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(subject)", "-keyout", "key.pem", "-out", "request"], in: folder)
        try openssl(
            [
                "x509", "-req", "-in", "request", "-signkey", "key.pem", "-days", self == .expired ? "-1" : "1", "-extfile", "names",
                "-out", "cert.pem",
            ], in: folder)
    }

    private func openssl(_ arguments: [String], in folder: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments.joined(separator: " "))")
    }
}
