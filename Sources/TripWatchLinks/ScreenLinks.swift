import FleetEngine
import HTTPServing
import JourneySharing
import ProgramSurroundings
import TripWatchRuntime
import TripWatchScreen
import TripWatchSharing
import TripWatchWords

/// Serves links to the trips of a screen, on a port that opens with the first link.
@MainActor
final class ScreenLinks: TripLinks {
    /// Message about a link that others cannot open.
    private static let localRemark = "Opens on this computer only; for other devices set share_listen or share_url."

    private let place: LinkPlace
    private let run: ShareRun
    private let service: TripService
    private let client: any ConsumerClient
    private let map: BaseMapSupply
    private let surroundings: Surroundings
    private var opening: Task<LinkServer, any Error>?
    private var sessions: [TripName: ShareSession] = [:]
    var onChange: (TripLink?, TripName) -> Void = { _, _ in }

    /// - Parameters:
    ///   - run: a run with the settings of the links; its trips and address are ignored.
    ///   - service: the screen's service, which follows the trips.
    init(
        at place: LinkPlace, like run: ShareRun, service: TripService, client: any ConsumerClient, map: BaseMapSupply,
        in surroundings: Surroundings
    ) {
        self.place = place
        self.run = run
        self.service = service
        self.client = client
        self.map = map
        self.surroundings = surroundings
    }

    func start(_ name: TripName) {
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

    func end(_ name: TripName) {
        guard sessions[name] != nil, let opening else { return }
        Task {
            guard let table = try? await opening.value.table else { return }
            // Before the first answer there is a session but no link.
            if table.link(to: name) == nil { stop(name) } else { table.endLink(to: name) }
        }
    }

    func close() async {
        guard let opening, let server = try? await opening.value else { return }
        server.desk.endAll()
        await server.close()
    }

    private func serve(_ name: TripName) async throws -> ServedLink {
        let settings = try place.settings()
        let server = try await server(settings)
        let run = ShareRun(
            names: [name], connection: run.connection, output: run.output, look: run.look, pace: run.pace, settings: settings)
        let session = ShareSession(run: run, desk: server.desk, client: client, surroundings: surroundings, screenService: service)
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

    /// The server of all links, opened only once.
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
        server.desk.onEnd = { [weak self] subject in
            guard case .trip(let name) = subject else { return }
            self?.stop(name)
            self?.onChange(nil, name)
        }
        return server
    }

    private func stop(_ name: TripName) { sessions.removeValue(forKey: name)?.stop() }

    /// Handles a port that has stopped answering.
    private func lose(_ error: any Error) {
        guard !sessions.isEmpty else { return }
        opening = nil
        for name in sessions.keys {
            stop(name)
            onChange(.failed("\(error)"), name)
        }
    }
}
