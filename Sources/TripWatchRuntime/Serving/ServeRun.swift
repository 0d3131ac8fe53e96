import DemoTown
import Glibc
import LocalFleetEngine
import TripWatchApp

/// A Fleet Engine of one's own, until a signal ends it.
package struct ServeRun: Sendable {
    package var settings: LocalServers.Settings
    /// Seconds of the engine in a real one.
    package var speed: Double

    package init(settings: LocalServers.Settings, speed: Double) {
        self.settings = settings
        self.speed = speed
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        do {
            return try await serve(
                LocalServers(settings, town: DemoTown(), time: surroundings.clock(speed), log: surroundings.log), in: surroundings)
        } catch let error as LocalFleetEngineServer.ListenError {
            throw Failure(message: "\(error).", exitCode: ExitCodes.failed)
        }
    }

    /// Until INT or TERM comes, which end it well, or HUP.
    private func serve(_ servers: LocalServers, in surroundings: Surroundings) async throws -> ProgramEnd {
        // Two ports full of connections, and what the program has open besides.
        DescriptorLimit.raise(to: 2 * settings.limits.connections + 64)
        let (signals, signal) = AsyncStream.makeStream(of: Int32.self)
        let interrupts = InterruptSignals { signal.yield($0) }
        let streams = surroundings.streams
        let reporting = Task { await servers.reportRefusals { streams.say($0) } }
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
