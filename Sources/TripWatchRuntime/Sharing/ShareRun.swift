package import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import Geo
import Glibc
import JourneySharing
package import LocalFleetEngine
import Logging
package import TripWatchApp
import VectorTiles

/// Serves links to trips until the last of them has ended.
package struct ShareRun: Sendable {
    /// How a link is served.
    package struct Settings: Sendable {
        package var host = "127.0.0.1"
        /// 0 takes any free one.
        package var port = 8_090
        package var security = LocalFleetEngineServer.Security.plaintext
        package var access = DeskAccess()
        package var privacy = LinkPrivacy()
        /// Links end after so many seconds at the latest; nil for with their trips.
        package var lifetimeSeconds: Double?
        /// A QR code is shown for each link.
        package var showsCode = false

        package init() {}
    }

    /// Viewers at once.
    private static let connections = 2_000
    /// After the last link its address goes on answering for so long, seconds.
    private static let afterLastSeconds = 60.0

    package let names: [TripName]
    package var connection: Connection
    package var output: OutputSettings
    package var look: ScreenSettings
    package var pace: Pace
    package var settings: Settings

    package init(
        names: [TripName], connection: Connection, output: OutputSettings, look: ScreenSettings, pace: Pace, settings: Settings
    ) {
        var seen: Set<TripName> = []
        self.names = names.filter { seen.insert($0).inserted }
        (self.connection, self.output, self.look) = (connection, output, look)
        (self.pace, self.settings) = (pace, settings)
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        Secrets.protectMemory()
        DescriptorLimit.raise(to: Self.connections + 64)
        let map = try look.map.open(standard: .none, in: surroundings)
        do {
            var limits = ServerLimits()
            limits.connections = Self.connections
            let port = try WebPort(
                host: settings.host, port: settings.port, security: settings.security, limits: limits, refused: RefusedConnections())
            return try await OneShot.run(connection, in: surroundings, guardsHelpers: false) { client in
                try await serve(port, client, map, in: surroundings)
            }
        } catch let error as LocalFleetEngineServer.ListenError {
            throw Failure(message: "\(error).", exitCode: ExitCodes.failed)
        }
    }

    @MainActor
    private func serve(
        _ port: WebPort, _ client: any ConsumerClient, _ map: BaseMapSupply, in surroundings: Surroundings
    ) async throws -> ProgramEnd {
        let (ends, end) = AsyncStream.makeStream(of: ShareEnd.self)
        let readAgain: @Sendable () -> Void = { try? port.readCertificateAgain() }
        let interrupts = InterruptSignals(hangUp: settings.security == .plaintext ? nil : readAgain) { _ in end.yield(.signal) }
        let desk = ShareDesk(
            access: settings.access, listening: settings.host, map: ShareMap(map), looks: ShareLooks(), time: surroundings.clock(1),
            log: surroundings.log
        ) { end.yield(.lastLink) }
        let (bound, listening) = AsyncStream.makeStream(of: LocalFleetEngineServer.Address.self)
        let serving = Task {
            defer { listening.finish() }
            try await port.serve(onListening: { listening.yield($0) }) { await desk.answer($0) }
        }
        defer { port.endNow() }
        var addresses = bound.makeAsyncIterator()
        guard let address = await addresses.next() else {
            try await serving.value
            throw CancellationError()
        }
        let table = ShareTable(base: settings.access.publicAddress ?? base(address), desk: desk)
        let session = ShareSession(run: self, desk: desk, client: client, surroundings: surroundings)
        defer { session.stop() }
        try await session.start()
        let socket = ShareSocket(table, in: surroundings)
        defer { socket?.close() }
        show(table, in: surroundings)
        await wait(for: ends, end, desk)
        port.beginClosing()
        _ = await within(1) { _ = try? await serving.value }
        return interrupts.number == SIGHUP ? .signal(SIGHUP) : .success
    }

    /// Until a signal comes, or the time after the last link is over.
    @MainActor
    private func wait(for ends: AsyncStream<ShareEnd>, _ end: AsyncStream<ShareEnd>.Continuation, _ desk: ShareDesk) async {
        for await reason in ends {
            switch reason {
            case .over: return
            case .signal: return desk.endAll()
            case .lastLink:
                Task {
                    try? await Task.sleep(for: .seconds(Self.afterLastSeconds))
                    end.yield(.over)
                }
            }
        }
    }

    private func base(_ address: LocalFleetEngineServer.Address) -> String {
        let isEverywhere = ["0.0.0.0", "::"].contains(address.host)
        let host = isEverywhere ? DeskAccess.outsideAddresses().first ?? address.host : address.host
        let shown = host.contains(":") ? "[\(host)]" : host
        return "\(settings.security == .plaintext ? "http" : "https")://\(shown):\(address.port)"
    }

    @MainActor
    private func show(_ table: ShareTable, in surroundings: Surroundings) {
        let streams = surroundings.streams
        for row in table.rows {
            streams.print("\(row.trip) \(row.link)")
            guard settings.showsCode else { continue }
            guard surroundings.locale.isUTF8, let code = QRCode(row.link) else {
                streams.say("tripwatch: no QR code without UTF-8.")
                continue
            }
            for line in code.lines(inColour: streams.isErrorTerminal && !surroundings.wantsNoColor) { streams.say(line) }
        }
        let until = settings.lifetimeSeconds.map { " and after \(TripWords.age($0)) at the latest" } ?? ""
        let count = table.rows.count == 1 ? "The link ends" : "The links end"
        streams.say("tripwatch: \(count) ten minutes after the trip\(until), by 'tripwatch share end LINK', or with this program.")
    }
}

/// Why serving links comes to its end.
private enum ShareEnd: Sendable {
    case signal
    /// There are no links any more.
    case lastLink
    /// And the time after that is over too.
    case over
}
