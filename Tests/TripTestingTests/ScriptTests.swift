import FleetEngine
import FleetEngineAPI
import FleetEngineGRPC
import GRPCCore
import SwiftProtobuf
import TerminalCanvas
import Testing
import TripTesting

@Suite("A scripted Fleet Engine", .timeLimit(.minutes(1)))
struct FleetEngineScriptTests {
    private func withClient<Result: Sendable>(
        _ engine: ScriptedFleetEngine, _ body: @escaping @Sendable (LiveFleetEngineClient) async throws -> Result
    ) async throws -> Result {
        try await engine.serve { port in
            try await withFleetEngineClient(
                endpoint: ServerEndpoint("127.0.0.1:\(port)", security: .plaintext),
                identity: ClientIdentity(role: .server, version: "test"), tokens: nil, body)
        }
    }

    @Test("answers the RPCs in the script, and counts them")
    func answers() async throws {
        var script = FleetEngineScript()
        script.getVehicle = { request, call in
            guard call.number > 1 else { throw RPCError(code: .unavailable, message: "not yet") }
            return .with { $0.name = request.name }
        }
        script.deleteTrip = { _, _ in Google_Protobuf_Empty() }
        let engine = ScriptedFleetEngine(script)
        let vehicle = try VehicleName(provider: "p", vehicle: "car")
        try await withClient(engine) { client in
            do throws(FleetEngineError) {
                _ = try await client.getVehicle(vehicle)
                Issue.record("the first call is to fail")
            } catch {
                #expect(error.code == .unavailable)
            }
            let found = try await client.getVehicle(vehicle)
            #expect(found.name == vehicle)
        }
        #expect(engine.callCount(of: "GetVehicle") == 2)
        #expect(engine.callCount(of: "GetTrip") == 0)
    }

    @Test("fails a call without an answer in the script, with its name")
    func unscripted() async throws {
        let engine = ScriptedFleetEngine(FleetEngineScript())
        let name = try TripName(provider: "p", trip: "t")
        let error = try await withClient(engine) { client -> FleetEngineError? in
            do throws(FleetEngineError) {
                _ = try await client.getTrip(GetTripRequest(name: name))
                return nil
            } catch {
                return error
            }
        }
        #expect(error?.code == .unimplemented)
        #expect(error?.message.contains("GetTrip") == true)
    }
}

@Suite("A script of key presses")
struct KeyScriptTests {
    @Test("consists of words, over several lines, with comments")
    func words() throws {
        let script = try KeyScript("? esc   # the help\nctrl-c shift-tab\n\n f1 #\n # all of it\n#\n")
        #expect(script.keys == [.character("?"), Key(.escape), .control("c"), Key(.backtab), Key(.function(1))])
        #expect(try KeyScript("").keys.isEmpty)
    }

    @Test("a word that is not a key is reported with its line")
    func unknown() throws {
        let error = #expect(throws: KeyScript.UnknownKey.self) { try KeyScript("q\nx escape!") }
        #expect(error?.word == "escape!" && error?.line == 2)
    }
}

@Suite("Comparing screens")
struct ScreenComparisonTests {
    @Test("blanks at the end of rows and blank rows at the end are ignored")
    func blanks() {
        #expect(ScreenComparison.difference(from: "a\nb", to: "a  \nb\n   \n") == nil)
        #expect(ScreenComparison.difference(from: "", to: Canvas(size: Size(columns: 4, rows: 2))) == nil)
    }

    @Test("a row that differs is shown in both versions, with its number")
    func rows() {
        #expect(ScreenComparison.difference(from: "a\nb\nc", to: "a\nx") == "2 - b\n2 + x\n3 - c\n3 + ")
    }
}
