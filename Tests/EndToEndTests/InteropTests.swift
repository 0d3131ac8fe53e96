import Foundation
import Testing

@testable import ProgramHarness

/// The Python interpreter with Google's own client: the path in `TRIPWATCH_PYTHON`, or else `.venv/bin/python` in the package. Nil if the
/// variable is not set and the package has no such file.
enum Python {
    static let path: String? = {
        let own = Program.package.appending(path: ".venv/bin/python").path
        if let named = ProcessInfo.processInfo.environment["TRIPWATCH_PYTHON"], !named.isEmpty { return named }
        return FileManager.default.isExecutableFile(atPath: own) ? own : nil
    }()

    /// Returns the path of the built program, for scripts that start it.
    static func program() throws -> String {
        let program = Program.path
        try #require(FileManager.default.isExecutableFile(atPath: program), "no program at \(program)")
        return program
    }

    /// Whether Google's client for deliveries is installed. It is a separate package.
    static let hasDeliveryClient: Bool = {
        guard let path else { return false }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["-c", "import google.maps.fleetengine_delivery_v1"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    static func run(_ script: String, _ arguments: String...) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: path ?? "/usr/bin/false")
        process.arguments = [Program.package.appending(path: "Tests/EndToEndTests/Interop/\(script)").path] + arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

@Suite(
    "With Google's own client", .enabled(if: Python.path != nil || ProcessInfo.processInfo.environment["CI"] != nil),
    .timeLimit(.minutes(6)))
struct InteropTests {
    @Test("this project's description of the wire equals Google's")
    func wire() throws {
        let result = try Python.run("wire_matches.py", Program.package.appending(path: "Sources/FleetEngineAPI/Protos").path)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("follow reports a ride made by Google's client, through an outage")
    func ride() throws {
        let result = try Python.run("ride.py", program(), Program.package.appending(path: "docs/json-output.schema.json").path)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("a scripted server of Google's own messages: every code, old positions, a frozen estimate, other riders' stops")
    func scriptedServer() throws {
        let result = try Python.run("scripted_server.py", program(), Program.package.appending(path: "docs/json-output.schema.json").path)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("HTTP and gRPC are the same API, with Google's mapping to JSON")
    func rest() throws {
        let result = try Python.run("rest.py", program())
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("tokens from token mint and from Google's library, for every role and the desk, over TLS")
    func tokens() throws {
        let result = try Python.run("tokens.py", program())
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("whole trips of each kind over TLS: one destination, several, back to back, shared, cancelled; each caller with a minted token")
    func kinds() throws {
        let result = try Python.run("kinds.py", program())
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("each role and each rpc, for own and others' objects, existing or not, over gRPC and as JSON; and invalid tokens")
    func roles() throws {
        let result = try Python.run("roles.py", program())
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(
        "a van's day through all calls of the deliveries service, over gRPC and REST, with the tokens of each role",
        .enabled(if: Python.hasDeliveryClient || ProcessInfo.processInfo.environment["CI"] != nil))
    func deliveries() throws {
        let result = try Python.run("deliveries.py", program())
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(
        "a van's day with the apps of Google's last-mile sample: the plan, the phone, the shipment's page, the operator's page",
        .enabled(if: Python.hasDeliveryClient || ProcessInfo.processInfo.environment["CI"] != nil))
    func sampleVan() throws {
        let result = try Python.run("sample_van.py", program())
        #expect(result.status == 0, "\(result.output)")
    }

    private func program() throws -> String { try Python.program() }
}

/// A separate suite, so that it runs at the same time as the other suites.
@Suite(
    "With Google's own client, through faults of the connection",
    .enabled(if: Python.path != nil || ProcessInfo.processInfo.environment["CI"] != nil), .timeLimit(.minutes(6)))
struct ConnectionFaultTests {
    @Test("sixteen faults of the connection over TLS at the same time: nothing ends, and news comes in time")
    func connectionFaults() throws {
        let result = try Python.run(
            "connection_faults.py", Python.program(), Program.package.appending(path: "docs/json-output.schema.json").path)
        #expect(result.status == 0, "\(result.output)")
    }
}
