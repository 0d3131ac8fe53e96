import Foundation
import Glibc
import Synchronization
import Testing

@testable import ProgramHarness

/// The engine of one scenario. It stores its trips in a file, and uses the same ports after a restart.
final class FaultEngine: Sendable {
    let port: Int
    let deskPort: Int
    /// The program that shares the engine's trip; nil if the trip is not shared.
    let sharing: FaultServers.Sharing?
    private let server: Mutex<LocalServer>

    /// Starts an engine with one trip.
    init(trip id: String, isShared: Bool, _ folder: Folder) throws {
        let started = try LocalServer(speed: 1, options: ["--database", folder.path + "/engine.db"], restarts: true)
        server = Mutex(started)
        port = try FaultServers.port(of: started.grpc)
        deskPort = try FaultServers.port(of: started.http)
        try FaultScene.makeTrip(id, RESTCalls(started.http))
        sharing = try isShared ? FaultServers.share("providers/demo/trips/\(id)", at: started, folder) : nil
    }

    var process: Int32 { server.withLock { $0.running.process.processIdentifier } }

    /// Ends the engine with a signal.
    func end(by signal: Int32) {
        server.withLock { server in
            kill(server.running.process.processIdentifier, signal)
            server.running.waitForEnd()
        }
    }

    /// Starts the engine again after it has ended.
    func start() throws { try server.withLock { try $0.startAgain() } }

    /// Ends the engine and the program that shares its trip.
    func stop() {
        sharing?.running.stop()
        server.withLock { if $0.running.process.isRunning { $0.running.stop() } }
    }
}
