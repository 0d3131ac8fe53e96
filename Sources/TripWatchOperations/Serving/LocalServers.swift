import FleetEngine
package import FleetEngineAccess
package import FleetEngineCore
import FoundationEssentials
package import HTTPServing
package import LocalFleetEngine
import Logging
import Routing

/// A local Fleet Engine with its two servers: Fleet Engine over gRPC, and the provider API over HTTP.
package struct LocalServers: Sendable {
    struct Addresses: Sendable {
        let grpc: ServerAddress
        let http: ServerAddress
    }

    package struct Settings: Sendable {
        package var host = "127.0.0.1"
        package var grpcPort = 0
        package var httpPort = 0
        package var security = ServerSecurity.plaintext
        package var access = HostAccess()
        package var limits = ServerLimits()
        package var phones = PhoneSettings()
        /// The access check; nil to allow all callers.
        package var gate: AccessGate?
        package var strictStatus = false
        package var keepsJumps = false
        /// A shipment's consumer sees the vehicle while at most this many stops remain; 0 to never show it.
        package var shareWithin = EngineOptions().shareWithin
        /// Expected time that vehicles wait at each stop, in seconds.
        package var stopSeconds = 0.0
        /// The path of the database of trips and vehicles; nil to keep them in memory.
        package var database: String?
        package var provider = "demo"
        /// A function that receives each line of the fleet log; nil for no log.
        package var fleetLog: (@Sendable (String) -> Void)?
        /// Whether the server answers requests below `/_tripwatch`.
        package var hasTestHooks = false

        package init() {}
    }

    let engine: LocalFleetEngine
    /// The provider API for deliveries.
    let deliveries: DeliveryDesk
    /// The database; nil if trips and vehicles are kept in memory.
    let store: EngineStore?
    private let limits: ServerLimits
    private let grpc: LocalFleetEngineServer
    private let http: ProviderServer
    private let refused = RefusedConnections()
    /// The state that health checks read.
    let health = ServerHealth()

    /// Creates the servers. They do not listen yet.
    /// - Throws: `ListenError` for an invalid address or an unusable certificate, and `StoreError` for an unusable database.
    init(_ settings: Settings, router: any Router, time: any TimeSource, log: Logger) throws {
        limits = settings.limits
        var options = EngineOptions()
        options.strictStatus = settings.strictStatus
        options.keepsJumps = settings.keepsJumps
        options.shareWithin = settings.shareWithin
        options.stopSeconds = settings.stopSeconds
        options.limits = limits.engine
        let clock = AdjustableTimeSource(time)
        var observers: [any CallObserver] = log.logLevel <= .info ? [CallLog(log)] : []
        if let write = settings.fleetLog { observers.append(FleetLog(provider: settings.provider, write: write)) }
        store = try settings.database.map { path throws(StoreError) in try EngineStore(path: path) }
        let empty = FleetEngineState(options: options)
        engine = LocalFleetEngine(
            state: try store?.load(into: empty) ?? empty, time: clock, router: router, store: store, callObservers: observers,
            log: log)
        grpc = try LocalFleetEngineServer(
            engine: engine, host: settings.host, port: settings.grpcPort, security: settings.security, limits: limits, refused: refused,
            gate: settings.gate, health: health)
        let desk = ProviderDesk(provider: settings.provider, engine: engine, time: time) { "trip-" + UUID().uuidString.lowercased() }
        deliveries = desk.deliveries
        http = try ProviderServer(
            desk: desk, host: settings.host, port: settings.httpPort, security: settings.security, access: settings.access,
            gate: settings.gate, phones: settings.phones, hooks: settings.hasTestHooks ? TestHooks(engine: engine, clock: clock) : nil,
            limits: limits, refused: refused, health: health, log: log)
    }

    /// Reads the certificate files again. If they cannot be used, the old certificate stays in use.
    /// - Throws: `ListenError` with the file and the reason.
    func readCertificateAgain() throws(ListenError) {
        try grpc.readCertificateAgain()
        try http.readCertificateAgain()
    }

    private enum Step<Result: Sendable>: Sendable {
        case done(Result)
        /// A server has stopped.
        case ended
        /// The time limit for active calls has passed.
        case late
    }

    /// Serves while `body` runs. `body` receives the addresses on which the servers listen.
    ///
    /// - Parameter letsCallsEnd: whether active calls get up to 10 s to finish after `body` returns.
    func run<Result: Sendable>(
        letsCallsEnd: Bool = false, _ body: @escaping @Sendable (Addresses) async throws -> Result
    ) async throws -> Result {
        let (ports, bound) = AsyncStream.makeStream(of: ServerAddress.self)
        let (starts, started) = AsyncStream.makeStream(of: ServerAddress.self)
        return try await withThrowingTaskGroup(of: Step<Result>.self) { group in
            defer {
                endNow()
                group.cancelAll()
            }
            group.addTask {
                try await grpc.serve { started.yield($0) }
                return .ended
            }
            group.addTask {
                try await http.serve { bound.yield($0) }
                return .ended
            }
            group.addTask {
                guard let grpcAddress = await starts.first(where: { _ in true }), let httpAddress = await ports.first(where: { _ in true })
                else { throw CancellationError() }
                http.tellEngine(port: grpcAddress.port)
                return .done(try await body(Addresses(grpc: grpcAddress, http: httpAddress)))
            }
            guard case .done(let result)? = try await group.next() else { throw CancellationError() }
            if letsCallsEnd { try await drain(&group) }
            return result
        }
    }

    /// Reports the number of refused connections once a minute, until the task is cancelled.
    func reportRefusals(_ say: @escaping @Sendable (String) -> Void) async {
        await refused.report(say)
        if let line = refused.nextLine() { say(line) }
    }

    /// Waits, up to a time limit, until both servers have answered the active calls.
    private func drain<Result: Sendable>(_ group: inout ThrowingTaskGroup<Step<Result>, any Error>) async throws {
        grpc.beginGracefulShutdown()
        http.beginGracefulShutdown()
        group.addTask {
            try await Task.sleep(for: .seconds(limits.drainSeconds))
            return .late
        }
        for _ in 1...2 {
            guard case .ended? = try await group.next() else { return }
        }
    }

    private func endNow() {
        grpc.endNow()
        http.endNow()
    }
}
