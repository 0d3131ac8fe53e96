import DemoTown
import FleetEngineAccess
import Glibc
import LocalFleetEngine
import TripWatchApp

/// A Fleet Engine of one's own, until a signal ends it.
package struct ServeRun: Sendable {
    package var settings: LocalServers.Settings
    /// Nil where no tokens are checked.
    package var keys: ServedKeys?
    /// Seconds of the engine in a real one.
    package var speed: Double

    package init(settings: LocalServers.Settings, keys: ServedKeys?, speed: Double) {
        self.settings = settings
        self.keys = keys
        self.speed = speed
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var settings = settings
        settings.gate = try keys?.openGate(surroundings.streams)
        do {
            let servers = try LocalServers(settings, town: DemoTown(), time: surroundings.clock(speed), log: surroundings.log)
            return try await serve(servers, settings.gate, in: surroundings)
        } catch let error as LocalFleetEngineServer.ListenError {
            throw Failure(message: "\(error).", exitCode: ExitCodes.failed)
        }
    }

    /// Until INT or TERM comes, which end it well, or HUP where there is nothing to read again.
    private func serve(_ servers: LocalServers, _ gate: AccessGate?, in surroundings: Surroundings) async throws -> ProgramEnd {
        // Two ports full of connections, and what the program has open besides.
        DescriptorLimit.raise(to: 2 * settings.limits.connections + 64)
        let (signals, signal) = AsyncStream.makeStream(of: Int32.self)
        let (hangUps, hangUp) = AsyncStream.makeStream(of: Void.self)
        let hasSecrets = gate != nil || settings.security != .plaintext
        let readAgain: @Sendable () -> Void = { hangUp.yield() }
        let interrupts = InterruptSignals(hangUp: hasSecrets ? readAgain : nil) { signal.yield($0) }
        let streams = surroundings.streams
        let reporting = Task { await servers.reportRefusals { streams.say($0) } }
        let renewal = SecretRenewal(
            servers: servers, security: settings.security, keys: keys, gate: gate, streams: streams, log: surroundings.log)
        let renewing = hasSecrets ? Task { await renewal.run(hangUps: hangUps) } : nil
        defer { renewing?.cancel() }
        let scheme = settings.security == .plaintext ? "http" : "https"
        try await servers.run(letsCallsEnd: true) { addresses in
            streams.print("listening grpc=\(addresses.grpc) \(scheme)=\(addresses.http)")
            for await _ in signals { break }
        }
        reporting.cancel()
        await reporting.value
        return interrupts.number == SIGHUP ? .signal(SIGHUP) : .success
    }
}
