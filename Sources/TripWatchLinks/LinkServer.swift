import FoundationEssentials
import HTTPServing
import ProgramSurroundings
import TripWatchRuntime

/// A port that serves links, with the `ShareDesk` that holds them. `share` and screens use it.
@MainActor
struct LinkServer {
    /// The largest number of simultaneous connections.
    private nonisolated static let connections = 2_000

    let table: ShareTable
    private let port: WebPort
    private let serving: Task<Void, any Error>
    /// The task that updates the links once a second.
    private let ticking: Task<Void, Never>

    var desk: ShareDesk { table.desk }

    /// Creates a port. It does not listen yet.
    nonisolated static func port(for settings: ShareRun.Settings) throws(ListenError) -> WebPort {
        DescriptorLimit.raise(to: connections + 64)
        var limits = PortLimits()
        limits.connections = connections
        // Requests for links have no tokens, so their headers are short.
        limits.headerBytes = 16 << 10
        return try WebPort(
            host: settings.host, port: settings.port, security: settings.security, limits: limits, refused: RefusedConnections())
    }

    /// Starts to answer requests for links.
    /// - Parameters:
    ///   - onEmpty: called when the last link has ended.
    ///   - onFailure: called with the reason if the port cannot listen, or stops listening.
    /// - Throws: `ListenError` if the address cannot be bound.
    static func begin(
        _ settings: ShareRun.Settings, on port: WebPort, _ map: BaseMapSupply, in surroundings: Surroundings,
        onEmpty: @escaping () -> Void, onFailure: @escaping @Sendable (any Error) -> Void
    ) async throws -> LinkServer {
        let desk = ShareDesk(
            access: settings.access, listening: settings.host,
            rate: settings.requestsPerSecond.map { CallRate<CallerAddress>(perSecond: $0) }, limitsOwnRequests: settings.limitsOwnRequests,
            map: ShareMap(map), looks: ShareLooks(), time: surroundings.clock(1), log: surroundings.log, onEmpty: onEmpty)
        let (bound, listening) = AsyncStream.makeStream(of: ServerAddress.self)
        let serving = Task {
            defer { listening.finish() }
            do {
                try await port.serve(onListening: { listening.yield($0) }) { await desk.answer($0) }
            } catch {
                onFailure(error)
                throw error
            }
        }
        var addresses = bound.makeAsyncIterator()
        guard let address = await addresses.next() else {
            try await serving.value
            throw CancellationError()
        }
        let table = ShareTable(base: settings.access.publicAddress ?? base(address, settings), desk: desk)
        let ticking = Task { [weak desk] in
            while (try? await Task.sleep(for: .seconds(1))) != nil, let desk { desk.tick() }
        }
        return LinkServer(table: table, port: port, serving: serving, ticking: ticking)
    }

    private static func base(_ address: ServerAddress, _ settings: ShareRun.Settings) -> String {
        let isEverywhere = ["0.0.0.0", "::"].contains(address.host)
        let host = isEverywhere ? HostAccess.outsideAddresses().first ?? address.host : address.host
        let shown = host.contains(":") ? "[\(host)]" : host
        return "\(settings.security == .plaintext ? "http" : "https")://\(shown):\(address.port)"
    }

    /// Closes the port. Waits up to a second for active answers to finish.
    func close() async {
        ticking.cancel()
        port.beginClosing()
        _ = await Task { [serving] in _ = try? await serving.value }.value(within: 1)
        port.endNow()
    }
}
