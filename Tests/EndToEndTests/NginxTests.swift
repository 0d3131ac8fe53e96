import Foundation
import HTTPCalls
import NIOSSL
import Testing

@testable import ProgramHarness

/// An nginx on this machine. It serves the village map both as individual tiles and as an archive.
private final class Nginx {
    static let path = ["/usr/sbin/nginx", "/usr/bin/nginx"].first { FileManager.default.isExecutableFile(atPath: $0) }
    static let isThere = path != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    let folder = NSTemporaryDirectory() + "nginx-\(UUID().uuidString)"
    let map = VillageMap()
    private(set) var (port, securePort) = (0, 0)
    private let process = Process()
    /// The log of answered requests, with protocol, path, status, byte range, and whether the body was compressed.
    private let log: LineWatch

    var address: String { "http://127.0.0.1:\(port)" }
    var secureAddress: String { "https://127.0.0.1:\(securePort)" }
    var certificate: String { folder + "/cert.pem" }

    init() throws {
        let path = try #require(Self.path)
        for (name, bytes) in map.tiles { try Self.write(bytes, to: folder + "/map" + name) }
        try Self.write(map.archive, to: folder + "/map/map.pmtiles")
        try GuardedServer.makeCertificate(in: folder)
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        process.executableURL = URL(filePath: path)
        process.arguments = ["-p", folder, "-c", folder + "/nginx.conf", "-e", "stderr"]
        log = LineWatch(output)
        (port, securePort) = (try LoopbackPort.free(SOCK_STREAM), try LoopbackPort.free(SOCK_STREAM))
        try Self.write(Array(configuration.utf8), to: folder + "/nginx.conf")
        try process.run()
        let words = LineWatch(errors)
        try #require(words.line(with: "using the \"") != nil, "\(words.all)")
        let deadline = Date() + 60
        while (try? TCPConnection(port: securePort)) == nil, Date() < deadline { sched_yield() }
    }

    deinit {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path))
    }

    private var configuration: String {
        let temporary = ["client_body", "proxy", "fastcgi", "scgi", "uwsgi"].map { "\($0)_temp_path \(folder)/\($0);" }.joined()
        let places = """
            root \(folder)/map;
            location /fresh/ { alias \(folder)/map/; expires 1h; }
            location /checked/ { alias \(folder)/map/; add_header Cache-Control no-cache; }
            """
        return """
            daemon off; master_process off; pid \(folder)/pid; error_log stderr notice;
            events { worker_connections 64; }
            http {
              \(temporary)
              log_format short '$server_protocol $uri $status [$http_range] $sent_http_content_encoding.';
              access_log /dev/stdout short;
              types { application/x-protobuf pbf; application/octet-stream pmtiles; }
              gzip on; gzip_types application/x-protobuf; gzip_min_length 1;
              server { listen 127.0.0.1:\(port); \(places) }
              server {
                listen 127.0.0.1:\(securePort) ssl http2; ssl_certificate cert.pem; ssl_certificate_key key.pem; \(places)
              }
            }
            """
    }

    /// Returns the requests after the first `start` lines of the log, without marked requests. First sends a marked request and waits until
    /// the log has it, so that no earlier request is missing.
    func requests(after start: Int = 0) throws -> [String] {
        let mark = "/seen-\(UUID().uuidString)"
        _ = try WebClient.get(address + mark)
        try #require(log.line(with: mark) != nil)
        return log.all.dropFirst(start).filter { !$0.contains("/seen-") }
    }

    var count: Int { log.all.count }
}

@Suite("A map behind nginx", .enabled(if: Nginx.isThere), .timeLimit(.minutes(3)))
struct NginxTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-nginx-\(UUID().uuidString)").path

    private func dump(_ map: String, cache: String, _ more: [String] = []) throws -> Program.Outcome {
        let setting = ["HOME": folder, "XDG_CACHE_HOME": folder + "/" + cache, "XDG_CONFIG_HOME": folder + "/config"]
        return try Program().run(["map", "20,10,4", "--dump", "--size", "80x24", "--basemap", map] + more, setting: setting)
    }

    @Test("compressed tiles, tiles over HTTP/2, and parts of an archive give the same frame as the file")
    func frames() throws {
        let nginx = try Nginx()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try dump(nginx.folder + "/map/map.pmtiles", cache: "file").lines
        #expect(file.joined().unicodeScalars.contains { (0x2801...0x28ff).contains($0.value) })
        let plain = try dump(nginx.address + "/{z}/{x}/{y}.pbf", cache: "plain")
        #expect(plain.lines == file && plain.errors.isEmpty, "\(plain.errors)")
        let packed = try nginx.requests()
        #expect(!packed.isEmpty && packed.allSatisfy { $0.hasPrefix("HTTP/1.1 /4/") && $0.hasSuffix(" 200 [-] gzip.") }, "\(packed)")
        var start = nginx.count
        let secure = try dump(nginx.secureAddress + "/{z}/{x}/{y}.pbf", cache: "secure", ["--ca", nginx.certificate])
        #expect(secure.lines == file && secure.errors.isEmpty, "\(secure.errors)")
        let modern = try nginx.requests(after: start)
        #expect(!modern.isEmpty && modern.allSatisfy { $0.hasPrefix("HTTP/2.0 /4/") }, "\(modern)")
        start = nginx.count
        let archive = try dump(nginx.address + "/map.pmtiles", cache: "archive")
        #expect(archive.lines == file && archive.errors.isEmpty, "\(archive.errors)")
        let parts = try nginx.requests(after: start)
        #expect(parts.count > 2 && parts.allSatisfy { $0.contains("/map.pmtiles 206 [bytes=") }, "\(parts)")
    }

    @Test("no request fails when connections over HTTP/2 are replaced after 64 requests")
    func replacedConnections() async throws {
        let nginx = try Nginx()
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(nginx.certificate)
        let policy = HTTPPolicy(requestsPerConnection: 64, allowsHTTP2: true, receivedBytesPerConnection: 64 << 20)
        let call = HTTPCall(url: nginx.secureAddress + "/map.pmtiles", policy: policy, tls: tls)
        let size = nginx.map.archive.count
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...6 {
                group.addTask {
                    for _ in 1...50 {
                        let response = try await call.send()
                        let body = try await response.body(upTo: size)
                        #expect(response.isHTTP2 && response.status == 200 && body.count == size)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("for a certificate that is not trusted, the corner says so, and no tiles are requested")
    func certificate() throws {
        let nginx = try Nginx()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let refused = try dump(nginx.secureAddress + "/{z}/{x}/{y}.pbf", cache: "refused")
        #expect(refused.status == 0 && refused.lines.first?.contains("map: bad certificate") == true, "\(refused.lines)")
        let host = "127.0.0.1:\(nginx.securePort)"
        #expect(refused.errors == "tripwatch: the map is not complete: \(host): its certificate is not accepted.\n")
        #expect(nginx.count == 0)
    }

    @Test("a fresh tile is not requested again, one to be validated is not sent again, and a missing one is remembered")
    func caching() throws {
        let nginx = try Nginx()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for archive in [false, true] {
            let map = archive ? "/map.pmtiles" : "/{z}/{x}/{y}.pbf"
            for (place, status) in [("/fresh", nil), ("/checked", "304")] {
                let cache = "\(archive)\(place)"
                let first = try dump(nginx.address + place + map, cache: cache)
                #expect(first.errors.isEmpty && !first.lines.isEmpty)
                let start = nginx.count
                #expect(try dump(nginx.address + place + map, cache: cache).lines == first.lines)
                let again = try nginx.requests(after: start)
                let isCheaper = again.allSatisfy { line in status.map { line.contains(" \($0) [") } ?? false }
                #expect(status == nil ? again.isEmpty : !again.isEmpty && isCheaper, "\(place)\(map): \(again)")
            }
        }
        // The server has no tiles at zooms below those of its map. This is not a fault, and each missing tile is requested only once.
        let above = ["map", "20,10,3", "--dump", "--size", "80x24", "--basemap", nginx.address + "/fresh/{z}/{x}/{y}.pbf"]
        let setting = ["HOME": folder, "XDG_CACHE_HOME": folder + "/above"]
        var start = nginx.count
        let empty = try Program().run(above, setting: setting)
        #expect(empty.status == 0 && empty.errors.isEmpty && !empty.lines.joined().contains("map:"))
        #expect(try nginx.requests(after: start).allSatisfy { $0.contains(" 404 ") })
        start = nginx.count
        #expect(try Program().run(above, setting: setting).lines == empty.lines)
        #expect(try nginx.requests(after: start).isEmpty)
    }
}
