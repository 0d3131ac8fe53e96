import Foundation
import GRPCCore
import SwiftProtobuf
import Testing
import TripTesting

@testable import ProgramHarness

/// An nginx that answers each request with an HTTP status and without gRPC, like a proxy whose server does not answer.
private final class RefusingProxy {
    static let path = ["/usr/sbin/nginx", "/usr/bin/nginx"].first { FileManager.default.isExecutableFile(atPath: $0) }

    let port: Int
    private let folder: Folder
    private let process = Process()

    init(status: Int) throws {
        let path = try #require(Self.path)
        folder = try Folder()
        port = try LoopbackPort.free(SOCK_STREAM)
        let temporary = ["client_body", "proxy", "fastcgi", "scgi", "uwsgi"].map { "\($0)_temp_path \(folder.path)/\($0);" }.joined()
        let configuration = """
            daemon off; master_process off; pid \(folder.path)/pid; error_log stderr notice;
            events { worker_connections 64; }
            http {
              \(temporary) access_log off;
              server { listen 127.0.0.1:\(port) http2; location / { return \(status); } }
            }
            """
        let file = try folder.write("nginx.conf", configuration)
        process.executableURL = URL(filePath: path)
        process.arguments = ["-p", folder.path, "-c", file, "-e", "stderr"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        let deadline = Date() + 60
        while (try? TCPConnection(port: port)) == nil, Date() < deadline { sched_yield() }
    }

    deinit {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

@Suite("Refusals by Fleet Engine, or by a proxy in front of it", .timeLimit(.minutes(1)))
struct RefusalTests {
    /// Returns the metadata of a failed call whose `google.rpc.Status` has an `ErrorInfo` with this reason.
    private static func details(_ code: RPCError.Code, reason: String) throws -> Metadata {
        var detail = Google_Protobuf_Any()
        detail.typeURL = "type.googleapis.com/google.rpc.ErrorInfo"
        detail.value = Data([0x0a, UInt8(reason.utf8.count)] + Array(reason.utf8))
        let bytes: [UInt8] = try detail.serializedBytes()
        var metadata = Metadata()
        metadata.addBinary([0x08, UInt8(code.rawValue), 0x1a, UInt8(bytes.count)] + bytes, forKey: "grpc-status-details-bin")
        return metadata
    }

    @Test("if the API is not enabled, the line in JSON names the provider as the one to ask")
    func notEnabled() async throws {
        var script = FleetEngineScript()
        script.getTrip = { _, _ in
            throw RPCError(
                code: .permissionDenied, message: "", metadata: try Self.details(.permissionDenied, reason: "SERVICE_DISABLED"))
        }
        try await ScriptedFleetEngine(script).serve { port in
            let arguments = ["follow", MadeUpRide.name, "--output", "json", "--endpoint", "127.0.0.1:\(port)", "--plaintext"]
            let outcome = try await background { try Program().run(arguments) }
            #expect(outcome.status == 4, "\(outcome.errors)")
            let line = try #require(outcome.lines.first { $0.contains(#""event":"error""#) })
            #expect(line.contains(#""action":"contact_provider""#) && line.contains("Ask the provider to enable Fleet Engine."), "\(line)")
        }
    }

    @Test(
        "a proxy that answers without gRPC: the line has the HTTP status, and the advice of the gRPC status that it stands for",
        .enabled(if: RefusingProxy.path != nil, "needs nginx"),
        arguments: [
            (504, "The server is slow", "A proxy's time limit may be shorter than tripwatch's, which is 15 s."),
            (429, "Too many requests", "Choose a longer --interval."),
        ])
    func proxy(status: Int, meaning: String, advice: String) throws {
        let proxy = try RefusingProxy(status: status)
        defer { withExtendedLifetime(proxy) {} }
        let follow = try Program().start(
            ["follow", MadeUpRide.name, "--output", "plain", "--endpoint", "127.0.0.1:\(proxy.port)", "--plaintext"])
        defer { follow.stop() }
        let lines = LineWatch(follow.output)
        let line = try #require(lines.line(with: "HTTP \(status)"), "\(lines.all)")
        let cause = "the server answered with HTTP \(status) instead of gRPC"
        #expect(line.contains("\(meaning) (\(cause)). \(advice) Trying again in "), "\(line)")
    }
}
