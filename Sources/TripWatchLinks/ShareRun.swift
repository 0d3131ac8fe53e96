package import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import Geo
import Glibc
package import HTTPServing
import JourneySharing
import Logging
package import ProgramSurroundings
package import TripWatchRuntime
import TripWatchScreen
import TripWatchSettings
package import TripWatchSharing
import TripWatchWords
import VectorTiles

/// Serves links to trips and shipments until the last of them has ended.
package struct ShareRun: Sendable {
    /// The settings of links.
    package struct Settings: Sendable {
        package var host = "127.0.0.1"
        /// Port number; 0 for any free port.
        package var port = 8_090
        package var security = ServerSecurity.plaintext
        package var access = HostAccess()
        /// Maximum number of requests per second from one address; nil for no limit.
        package var requestsPerSecond: Int?
        /// Whether `requestsPerSecond` also limits this machine, from which a proxy may send the requests of many viewers.
        package var limitsOwnRequests = false
        package var privacy = LinkPrivacy()
        /// The longest lifetime of a link, in seconds; nil if a link ends only with its trip or shipment.
        package var lifetimeSeconds: Double?
        /// Time for which a link stays available after the end of its trip or shipment, in seconds.
        package var afterTripSeconds = SharedLink.afterTripSeconds
        /// Whether to show a QR code for each link.
        package var showsCode = false
        /// Whether to print links as JSON, one object per line.
        package var isJSON = false

        package init() {}
    }

    /// Time for which the server still answers after the last link has ended, in seconds.
    private static let afterLastSeconds = 60.0

    package let names: [TripName]
    /// The shipments, without duplicates.
    package let shipments: [TaskTrackingName]
    package var connection: Connection
    package var output: OutputSettings
    package var look: ScreenSettings
    package var pace: Pace
    package var settings: Settings

    package init(
        names: [TripName], shipments: [TaskTrackingName] = [], connection: Connection, output: OutputSettings, look: ScreenSettings,
        pace: Pace, settings: Settings
    ) {
        var seen: Set<TripName> = []
        self.names = names.filter { seen.insert($0).inserted }
        var seenShipments: Set<TaskTrackingName> = []
        self.shipments = shipments.filter { seenShipments.insert($0).inserted }
        self.connection = connection
        self.output = output
        self.look = look
        self.pace = pace
        self.settings = settings
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        Secrets.protectMemory()
        SecretFile.warn(of: [settings.security.keyPath].compactMap { $0 }, surroundings.streams)
        let map = try look.map.open(standard: .none, in: surroundings)
        do {
            let port = try LinkServer.port(for: settings)
            return try await ClientSession.run(connection, in: surroundings, guardsHelpers: false) { client in
                try await serve(port, client, map, in: surroundings)
            }
        } catch let error as ListenError {
            let advice = error.isPortTaken || error.isPortPrivileged ? " Choose another port with --http-port, or 0 for any free port." : ""
            throw Failure(message: "\(error).\(advice)", exitCode: ExitCodes.failed)
        }
    }

    @MainActor
    private func serve(
        _ port: WebPort, _ client: any ConsumerClient & ShipmentClient, _ map: BaseMapSupply, in surroundings: Surroundings
    ) async throws -> ProgramEnd {
        let (events, event) = AsyncStream.makeStream(of: ShareEvent.self)
        let streams = surroundings.streams
        let security = settings.security
        let readAgain: @Sendable () -> Void = { Self.readCertificateAgain(port, security, streams) }
        let isPlain = settings.security == .plaintext
        let hungUp: @Sendable () -> Bool = {
            if !isPlain { readAgain() }
            return !isPlain
        }
        let interrupts = InterruptSignals(hangUp: hungUp) { _ in event.yield(.signal) }
        let watching = Task { await FileWatch.run(settings.security.paths, onNews: readAgain) }
        defer {
            watching.cancel()
            port.endNow()
        }
        let server = try await LinkServer.begin(settings, on: port, map, in: surroundings) {
            event.yield(.lastLinkEnded)
        } onFailure: {
            event.yield(.failed($0))
        }
        let desk = server.desk
        let session = ShareSession(run: self, desk: desk, client: client, surroundings: surroundings)
        let ofShipments = ShipmentShareSession(run: self, desk: desk, client: client, surroundings: surroundings)
        let starting = begin(session, ofShipments, event)
        defer {
            starting.cancel()
            session.stop()
            ofShipments.stop()
        }
        try await wait(for: events, event, desk, server.table, in: surroundings)
        await session.close()
        await server.close()
        return interrupts.number == SIGHUP ? .signal(SIGHUP) : .success
    }

    /// Reads the certificate again. If the new one cannot be used, the port keeps the old one.
    private static func readCertificateAgain(_ port: WebPort, _ security: ServerSecurity, _ streams: StandardStreams) {
        do throws(ListenError) {
            try port.readCertificateAgain()
            SecretFile.warn(of: [security.keyPath].compactMap { $0 }, streams)
        } catch {
            streams.say("tripwatch: \(error); the previous certificate stays in use.")
        }
    }

    /// Creates the links, and reports when they are ready.
    @MainActor
    private func begin(
        _ session: ShareSession, _ ofShipments: ShipmentShareSession, _ event: AsyncStream<ShareEvent>.Continuation
    ) -> Task<Void, Never> {
        Task {
            do {
                try await session.start()
                try await ofShipments.start()
                event.yield(.began)
            } catch {
                event.yield(.failed(error))
            }
        }
    }

    /// Serves until a signal arrives, or until `afterLastSeconds` after the end of the last link.
    @MainActor
    private func wait(
        for events: AsyncStream<ShareEvent>, _ event: AsyncStream<ShareEvent>.Continuation, _ desk: ShareDesk, _ table: ShareTable,
        in surroundings: Surroundings
    ) async throws {
        var socket: ShareSocket?
        defer { socket?.close() }
        for await happened in events {
            switch happened {
            case .began:
                socket = ShareSocket(table, in: surroundings)
                show(table, in: surroundings)
            case .failed(let error): throw error
            case .signal: return desk.endAll()
            case .lastLinkEnded:
                Task {
                    try? await Task.sleep(for: .seconds(Self.afterLastSeconds))
                    event.yield(.over)
                }
            case .over: return
            }
        }
    }

    /// Warns the user if the links have a loopback address, which leads other people to their own computers.
    @MainActor
    private func warnOfLoopback(_ table: ShareTable, in surroundings: Surroundings) {
        guard table.isLocal, !table.rows.isEmpty else { return }
        let others = HostAccess.outsideAddresses()
        let address = others.first ?? "ADDRESS"
        let here = others.isEmpty ? "" : " This machine's addresses: \(others.joined(separator: ", "))."
        let plaintext = if case .plaintext = settings.security { " --allow-plaintext" } else { "" }
        surroundings.streams.say(
            "tripwatch: the link opens only on this computer. For other devices, add --listen \(address)\(plaintext) on your own "
                + "network, or --public-url URL behind a proxy.\(here)")
    }

    @MainActor
    private func show(_ table: ShareTable, in surroundings: Surroundings) {
        let streams = surroundings.streams
        for row in table.rows {
            if settings.isJSON, let facts = SharedLinkFacts(line: row.words.joined(separator: " ")) {
                streams.print(json: facts)
            } else {
                streams.print(row.words.prefix(2).joined(separator: " "))
            }
            guard settings.showsCode else { continue }
            guard let code = surroundings.locale.isUTF8 ? QRCode(row.link) : nil else {
                let why = surroundings.locale.isUTF8 ? "the link is too long" : "the locale is not UTF-8"
                streams.say("tripwatch: no QR code is shown, because \(why). Send the link instead.")
                continue
            }
            for line in code.lines(inColour: streams.isErrorTerminal && !surroundings.wantsNoColor) { streams.say(line) }
        }
        warnOfLoopback(table, in: surroundings)
        let until = settings.lifetimeSeconds.map { "; in \(TripWords.span($0)) at the latest" } ?? ""
        let noun = names.isEmpty ? "shipment" : shipments.isEmpty ? "trip" : "trip or shipment"
        let isOne = table.rows.count == 1
        streams.note(
            "tripwatch: \(isOne ? "The" : "Each") link ends ten minutes after the end of \(isOne ? "the" : "its") \(noun), "
                + "or when this program ends\(until). 'tripwatch share end LINK' ends a link now.")
    }
}

extension ShareRun {
    /// Returns the settings for a link that is created at `now`.
    @MainActor
    func linkSettings(at now: Date, in surroundings: Surroundings) -> SharedLink.Settings {
        var link = SharedLink.Settings()
        link.privacy = settings.privacy
        link.until = settings.lifetimeSeconds.map(now.addingTimeInterval)
        link.afterTripSeconds = settings.afterTripSeconds
        link.options = look.appOptions(in: surroundings)
        link.options.measurementSystem = output.measurementSystem(in: surroundings)
        link.options.zoneName = { LocalZone.name($0) }
        link.options.ownPosition = nil
        return link
    }
}

/// An event that occurs while links are served.
private enum ShareEvent: Sendable {
    /// The links are ready.
    case began
    case failed(any Error)
    case signal
    case lastLinkEnded
    /// The last link ended `afterLastSeconds` ago.
    case over
}
