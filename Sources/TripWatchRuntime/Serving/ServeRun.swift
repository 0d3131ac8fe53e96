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
        let firstLook = SecretRenewal.Look(settings.security, keys)
        settings.gate = try keys?.openGate(surroundings.streams)
        do {
            let servers = try LocalServers(settings, town: DemoTown(), time: surroundings.clock(speed), log: surroundings.log)
            let renewal = SecretRenewal(
                servers: servers, security: settings.security, keys: keys, gate: settings.gate, streams: surroundings.streams,
                log: surroundings.log, manager: ServiceManager(environment: surroundings.environment), firstLook: firstLook)
            return try await serve(servers, renewal, in: surroundings)
        } catch let error as LocalFleetEngineServer.ListenError {
            throw Failure(message: "\(error).", exitCode: ExitCodes.failed)
        }
    }

    /// Until INT or TERM comes, which end it well, or HUP where there is nothing to read again.
    private func serve(_ servers: LocalServers, _ renewal: SecretRenewal, in surroundings: Surroundings) async throws -> ProgramEnd {
        // Two ports full of connections, and what the program has open besides.
        DescriptorLimit.raise(to: 2 * settings.limits.connections + 64)
        let (signals, signal) = AsyncStream.makeStream(of: Int32.self)
        let (reasons, reason) = AsyncStream.makeStream(of: SecretRenewal.Reason.self)
        let manager = renewal.manager
        // A service manager takes it that HUP ends nothing.
        let readsAgain = keys != nil || settings.security != .plaintext || manager != nil
        let readAgain: @Sendable () -> Void = { reason.yield(.told) }
        let interrupts = InterruptSignals(hangUp: readsAgain ? readAgain : nil) { signal.yield($0) }
        let streams = surroundings.streams
        let reporting = Task { await servers.reportRefusals { streams.say($0) } }
        let renewing = readsAgain ? Task { await renewal.run(reasons, reason) } : nil
        let living = Task { await manager?.keepAlive() }
        defer {
            renewing?.cancel()
            living.cancel()
        }
        let scheme = settings.security == .plaintext ? "http" : "https"
        try await servers.run(letsCallsEnd: true) { addresses in
            let line = "listening grpc=\(addresses.grpc) \(scheme)=\(addresses.http)"
            streams.print(line)
            manager?.tellReady(line)
            for await _ in signals { break }
            manager?.tellStopping()
        }
        reporting.cancel()
        await reporting.value
        return interrupts.number == SIGHUP ? .signal(SIGHUP) : .success
    }
}
