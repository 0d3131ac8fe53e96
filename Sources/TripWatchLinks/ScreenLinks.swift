import FleetEngine
import HTTPServing
import JourneySharing
import ProgramSurroundings
import TripWatchRuntime
import TripWatchScreen
import TripWatchSharing
import TripWatchWords

/// Serves links to the trips and shipments of a screen. The port opens with the first link.
@MainActor
final class ScreenLinks: TripLinks {
    /// The message about a link that cannot be opened on other devices.
    private static let localRemark = "The link opens only on this computer; for other devices, set share_listen or share_url."

    private let place: LinkPlace
    private let run: ShareRun
    private let trips: TripService
    private let shipments: ShipmentService
    private let client: any ConsumerClient & ShipmentClient
    private let map: BaseMapSupply
    private let surroundings: Surroundings
    private var opening: Task<LinkServer, any Error>?
    private var socket: ShareSocket?
    private var sessions: [FollowedName: any LinkSession] = [:]
    var onChange: (TripLink?, FollowedName) -> Void = { _, _ in }

    /// - Parameters:
    ///   - run: supplies the settings of the links, except the address. The run's title is used only for the run's own trips and
    ///     shipments.
    ///   - trips: the service with which the screen follows trips.
    ///   - shipments: the service with which the screen follows shipments.
    init(
        at place: LinkPlace, like run: ShareRun, trips: TripService, shipments: ShipmentService,
        client: any ConsumerClient & ShipmentClient, map: BaseMapSupply, in surroundings: Surroundings
    ) {
        self.place = place
        self.run = run
        self.trips = trips
        self.shipments = shipments
        self.client = client
        self.map = map
        self.surroundings = surroundings
    }

    func start(_ name: FollowedName) {
        guard sessions[name] == nil else { return }
        Task {
            do {
                onChange(.served(try await serve(name)), name)
            } catch let error as ListenError {
                onChange(.failed(place.advice(error)), name)
            } catch let failure as Failure {
                onChange(.failed(failure.message), name)
            } catch {
                onChange(.failed("\(error)"), name)
            }
        }
    }

    func end(_ name: FollowedName) {
        guard sessions[name] != nil, let opening else { return }
        Task {
            guard let table = try? await opening.value.table else { return }
            // Before the first answer there is a session, but no link yet.
            if table.link(to: name) == nil { stop(name) } else { table.endLink(to: name) }
        }
    }

    func close() async {
        guard let opening, let server = try? await opening.value else { return }
        socket?.close()
        server.desk.endAll()
        await server.close()
    }

    private func serve(_ name: FollowedName) async throws -> ServedLink {
        let settings = try place.settings()
        let server = try await server(settings)
        let session = session(for: name, settings, server.desk)
        sessions[name] = session
        do {
            try await session.start()
        } catch {
            stop(name)
            throw error
        }
        guard let link = server.table.link(to: name) else { throw Failure(message: "The link has ended.") }
        return ServedLink(address: link, remark: server.table.isLocal ? Self.localRemark : "")
    }

    private func session(for name: FollowedName, _ settings: ShareRun.Settings, _ desk: ShareDesk) -> any LinkSession {
        switch name {
        case .trip(let name):
            let share = shareRun([name], [], isTitled: run.names.contains(name), settings)
            return ShareSession(run: share, desk: desk, client: client, surroundings: surroundings, screenService: trips)
        case .shipment(let name):
            let share = shareRun([], [name], isTitled: run.names.isEmpty && run.shipments.contains(name), settings)
            return ShipmentShareSession(run: share, desk: desk, client: client, surroundings: surroundings, screenService: shipments)
        }
    }

    /// - Parameter isTitled: whether the link has the user's title; false for a trip or shipment that was added later.
    private func shareRun(
        _ names: [TripName], _ shipments: [TaskTrackingName], isTitled: Bool, _ settings: ShareRun.Settings
    ) -> ShareRun {
        var look = run.look
        if !isTitled { look.app.title = nil }
        return ShareRun(
            names: names, shipments: shipments, connection: run.connection, output: run.output, look: look, pace: run.pace,
            settings: settings)
    }

    /// Returns the server of all links. Opens it on the first call.
    private func server(_ settings: ShareRun.Settings) async throws -> LinkServer {
        if let opening { return try await opening.value }
        let task = Task { try await open(settings) }
        opening = task
        do {
            return try await task.value
        } catch {
            opening = nil
            throw error
        }
    }

    private func open(_ settings: ShareRun.Settings) async throws -> LinkServer {
        Secrets.protectMemory()
        let port = try LinkServer.port(for: settings)
        let server = try await LinkServer.begin(settings, on: port, map, in: surroundings, onEmpty: {}) { [weak self] error in
            Task { @MainActor in self?.lose(error) }
        }
        server.desk.onEnd = { [weak self] name in
            self?.stop(name)
            self?.onChange(nil, name)
        }
        socket = ShareSocket(server.table, in: surroundings)
        return server
    }

    private func stop(_ name: FollowedName) { sessions.removeValue(forKey: name)?.stop() }

    /// Ends all links, because the port no longer answers.
    private func lose(_ error: any Error) {
        guard !sessions.isEmpty else { return }
        opening = nil
        socket?.close()
        socket = nil
        for name in sessions.keys {
            stop(name)
            onChange(.failed("\(error)"), name)
        }
    }
}

/// A session that follows the trip or shipment of a link.
@MainActor
private protocol LinkSession {
    /// Waits until the first call was answered or has failed, and then creates the link.
    /// - Throws: `Failure` if the trip or shipment does not exist, or if access to it is denied.
    func start() async throws
    func stop()
}

extension ShareSession: LinkSession {}
extension ShipmentShareSession: LinkSession {}
