import DemoTown
import FleetEngine
import Foundation
import LocalFleetEngine

/// A local engine with its two faces: Fleet Engine over gRPC, the provider's desk over HTTP.
struct LocalServers: Sendable {
    struct Addresses: Sendable {
        let grpc: LocalFleetEngineServer.Address
        let http: LocalFleetEngineServer.Address
    }

    struct Settings: Sendable {
        var host = "127.0.0.1"
        var grpcPort = 0
        var httpPort = 0
        var security = LocalFleetEngineServer.Security.plaintext
        var strictStatus = false
        var provider = "demo"
    }

    private let settings: Settings
    private let grpc: LocalFleetEngineServer
    private let desk: ProviderDesk

    /// - Throws: `LocalFleetEngineServer.ListenError` for an address that cannot be one.
    init(_ settings: Settings, town: DemoTown, time: any TimeSource) throws {
        self.settings = settings
        var options = EngineOptions()
        options.strictStatus = settings.strictStatus
        let engine = LocalFleetEngine(state: FleetEngineState(options: options, planner: FallbackRoutePlanning.demoTown(town)), time: time)
        grpc = try LocalFleetEngineServer(engine: engine, host: settings.host, port: settings.grpcPort, security: settings.security)
        desk = ProviderDesk(provider: settings.provider, engine: engine, time: time) { "trip-" + UUID().uuidString.lowercased() }
    }

    /// Serves while `body` runs; it is given the bound addresses.
    func run<Result: Sendable>(_ body: @escaping @Sendable (Addresses) async throws -> Result) async throws -> Result {
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let http = ProviderServer(desk: desk, host: settings.host, port: settings.httpPort)
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await grpc.serve()
                return nil
            }
            group.addTask {
                try await serve(http) { bound.yield($0) }
                return nil
            }
            group.addTask {
                await desk.run()
                return nil
            }
            group.addTask {
                let grpcAddress = try await grpc.listeningAddress
                guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
                var httpAddress = grpcAddress
                httpAddress.port = port
                return try await body(Addresses(grpc: grpcAddress, http: httpAddress))
            }
            defer {
                grpc.beginGracefulShutdown()
                group.cancelAll()
            }
            for try await result in group { if let result { return result } }
            throw CancellationError()
        }
    }

    private func serve(_ http: ProviderServer, onListening: @escaping @Sendable (Int) -> Void) async throws {
        do {
            try await http.serve(onListening: onListening)
        } catch is CancellationError {
            return
        } catch {
            throw Failure(
                message:
                    "cannot listen on \(settings.host):\(settings.httpPort) for HTTP: is the port in use? --http-port 0 takes any free one.",
                exitCode: 1)
        }
    }
}
