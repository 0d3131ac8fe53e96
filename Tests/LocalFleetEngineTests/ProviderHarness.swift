import FleetEngine
import FleetEngineAccess
import FoundationEssentials
import HTTPCalls
import HTTPServing
import Synchronization
import TripTesting

@testable import LocalFleetEngine
@testable import ProviderBackend

/// A provider API on loopback, whose engine has a stopped clock.
struct ProviderHarness: Sendable {
    let time: ManualTimeSource
    let engine: LocalFleetEngine
    let desk: ProviderDesk
    let port: Int
    let limits: ServerLimits

    static func with<Value: Sendable>(
        access: HostAccess = HostAccess(), gate: AccessGate? = nil, hasTestHooks: Bool = false, limits: ServerLimits = ServerLimits(),
        _ body: (ProviderHarness) async throws -> Value
    ) async throws -> Value {
        let time = ManualTimeSource()
        let clock = AdjustableTimeSource(time)
        let engine = LocalFleetEngine(time: clock)
        let numbers = IDs()
        let desk = ProviderDesk(provider: "plain", engine: engine, time: time) { numbers.next() }
        let (ports, port) = AsyncStream<Int>.makeStream()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            let hooks = hasTestHooks ? TestHooks(engine: engine, clock: clock) : nil
            let server = try ProviderServer(desk: desk, port: 0, access: access, gate: gate, hooks: hooks, limits: limits)
            group.addTask { try await server.serve { port.yield($0.port) } }
            defer { server.endNow() }
            for await number in ports {
                return try await body(ProviderHarness(time: time, engine: engine, desk: desk, port: number, limits: limits))
            }
            throw CancellationError()
        }
    }

    var address: String { "http://127.0.0.1:\(port)" }

    func client() throws -> ProviderBackendClient {
        guard let address = ProviderBackendClient.Address(address) else { throw CancellationError() }
        return ProviderBackendClient(address: address)
    }

    /// Sends one request and returns the answer's status, text and headers.
    func ask(
        _ method: String, _ path: String, _ body: String? = nil, headers: [(name: String, value: String)] = []
    ) async throws -> (status: Int, text: String, headers: (String) -> String?) {
        let answer = try await HTTPExchange(
            method: method, url: address + path, headers: headers, body: body.map { Array($0.utf8) }, largestAnswer: 1 << 20,
            limitSeconds: 30
        ).send(SystemTimeSource())
        return (answer.status, String(decoding: answer.body, as: UTF8.self), { answer.header($0) })
    }
}

/// Makes the ids `t1`, `t2`, …
final class IDs: Sendable {
    private let count = Mutex(0)

    func next() -> String {
        count.withLock {
            $0 += 1
            return "t\($0)"
        }
    }
}
