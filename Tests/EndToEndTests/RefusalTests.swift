import Foundation
import GRPCCore
import SwiftProtobuf
import Testing
import TripTesting

@Suite("Refusals by Fleet Engine", .timeLimit(.minutes(1)))
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
            #expect(line.contains(#""action":"contact_provider""#) && line.contains("Ask the provider to enable the API."), "\(line)")
        }
    }
}
