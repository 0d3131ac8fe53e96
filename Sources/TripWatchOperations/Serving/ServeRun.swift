import FleetEngineAccess
import Glibc
import HTTPServing
import LocalFleetEngine
import Logging
package import ProgramSurroundings
import Routing
package import TripWatchRuntime
import TripWatchWords

/// Runs a Fleet Engine server until a signal ends it.
package struct ServeRun: Sendable {
    package var settings: LocalServers.Settings
    /// The keys for checking tokens; nil to check no tokens.
    package var keys: ServedKeys?
    /// Seconds of the server's clock per real second.
    package var speed: Double
    package var files = ServedFiles()
    /// Shell command that runs while the server runs; nil to serve until a signal arrives.
    package var command: String?
    package var router: RouterSettings
    /// The hooks that receive the events of trips; nil without hooks.
    package var hooks: HookSettings?
    /// Whether to print the addresses as JSON.
    package var isJSON = false

    package init(settings: LocalServers.Settings, keys: ServedKeys?, speed: Double, router: RouterSettings) {
        self.settings = settings
        self.keys = keys
        self.speed = speed
        self.router = router
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var settings = settings
        let firstLook = SecretRenewal.Look(settings.security, keys)
        settings.gate = try keys?.openGate(surroundings.streams, log: surroundings.log)
        let beginnings = try files.read(surroundings.streams)
        do {
            let servers = try LocalServers(
                settings, router: try router.open(for: .lasting, in: surroundings), time: surroundings.clock(speed), log: surroundings.log)
            let renewal = SecretRenewal(
                servers: servers, security: settings.security, keys: keys, gate: settings.gate, streams: surroundings.streams,
                log: surroundings.log, logFiles: surroundings.logFiles, manager: ServiceManager(environment: surroundings.environment),
                firstLook: firstLook)
            renewal.checkCertificate()
            try await ServedFiles.load(beginnings, into: servers)
            let watch = StoreWatch(store: servers.store, health: servers.health, streams: surroundings.streams, log: surroundings.log)
            watch.begin(servers.engine)
            // Trips that were imported or stored may already be waiting for a vehicle.
            await servers.engine.serveWaiting()
            let watching = Task { await watch.run() }
            let news = ServedNews(servers.engine, surroundings.streams)
            let reporter = Task { await news?.run() }
            defer {
                watching.cancel()
                reporter.cancel()
            }
            return try await telling(servers.engine, in: surroundings) {
                let (end, interrupts) = try await serve(servers, renewal, in: surroundings)
                try await files.write(servers.engine)
                return (end, interrupts)
            }
        } catch let error as ListenError {
            let advice = error.isPortTaken || error.isPortPrivileged ? " Choose other ports with --grpc-port and --http-port." : ""
            throw Failure(message: "\(error).\(advice)", exitCode: ExitCodes.failed)
        } catch let error as StoreError {
            throw Failure(message: "\(error).", exitCode: ExitCodes.failed)
        }
    }

    /// Sends the events of trips to hooks while `body` runs.
    private func telling(
        _ engine: LocalFleetEngine, in surroundings: Surroundings, _ body: () async throws -> (ProgramEnd, InterruptSignals)
    ) async throws -> ProgramEnd {
        guard let hooks else { return try await body().0 }
        let moments = try await ServedMoments(engine, hooks, in: surroundings)
        let work = Task { await moments.run() }
        defer { work.cancel() }
        let (end, interrupts) = try await body()
        work.cancel()
        await work.value
        // From now on, a second signal ends the program without waiting for hooks.
        interrupts.losePatience()
        await moments.finish()
        withExtendedLifetime(interrupts) {}
        return end
    }

    /// Without a command, serves until one of these signals arrives: INT, TERM, or a HUP that ends the server. With a command, passes the
    /// signals on to the command, and serves until the command ends.
    /// - Returns: how the program ends, and the handler of further signals.
    private func serve(
        _ servers: LocalServers, _ renewal: SecretRenewal, in surroundings: Surroundings
    ) async throws -> (ProgramEnd, InterruptSignals) {
        // There must be enough descriptors for the connections of both ports, and for the program's own files.
        DescriptorLimit.raise(to: 2 * settings.limits.port.connections + 64)
        let (signals, signal) = AsyncStream.makeStream(of: Int32.self)
        let passed = PassedSignals()
        let served = command.map { ServedCommand(command: $0, security: settings.security, signals: passed) }
        let (reasons, reason) = AsyncStream.makeStream(of: SecretRenewal.Reason.self)
        let manager = renewal.manager
        let hangUp = served == nil ? answerToHangUp(renewal, reason) : nil
        let interrupts = InterruptSignals(hangUp: hangUp, isPatient: served != nil) { number in
            if served == nil { signal.yield(number) } else { passed.pass(number) }
        }
        let streams = surroundings.streams
        let reporting = Task { await servers.reportRefusals { streams.say($0) } }
        let renewing = served == nil ? Task { await renewal.run(reasons, reason) } : nil
        let living = Task { await manager?.keepAlive() }
        defer {
            renewing?.cancel()
            living.cancel()
        }
        let code = try await servers.run(letsCallsEnd: true) { addresses -> Int32? in
            sayWhatIsForgotten(streams)
            let line = listeningLine(addresses)
            if let served {
                // Standard output belongs to the command, so the addresses go to standard error.
                streams.say(isJSON ? listeningObject(addresses) : line)
                return try await served.run(addresses)
            }
            streams.print(isJSON ? listeningObject(addresses) : line)
            if manager == nil, keys == nil { streams.note(nextLine(addresses)) }
            manager?.tellReady(line)
            for await _ in signals { break }
            manager?.tellStopping()
            return nil
        }
        reporting.cancel()
        await reporting.value
        if let code { return (.code(code), interrupts) }
        return (interrupts.number == SIGHUP ? .signal(SIGHUP) : .success, interrupts)
    }

    /// Returns the handler of HUP for a server without a command. The handler reloads the keys and the certificate, or returns false
    /// to end the server.
    private func answerToHangUp(
        _ renewal: SecretRenewal, _ reason: AsyncStream<SecretRenewal.Reason>.Continuation
    ) -> @Sendable () -> Bool {
        // A server with keys or a certificate reloads them on HUP. A service manager expects its server to survive HUP.
        let outlivesTerminal = renewal.hasSecrets || renewal.manager != nil
        let hadTerminal = ControllingTerminal.isThere
        return {
            // Any other server that was started in a terminal window ends when the window closes.
            guard outlivesTerminal || !hadTerminal || ControllingTerminal.isThere else { return false }
            reason.yield(.told)
            return true
        }
    }

    private func sayWhatIsForgotten(_ streams: StandardStreams) {
        guard settings.database == nil else { return }
        streams.note("tripwatch: trips, vehicles and deliveries are kept only in memory and are lost on exit; --database FILE keeps them.")
    }

    /// Returns a suggestion for the next command, to type in another terminal.
    private func nextLine(_ addresses: LocalServers.Addresses) -> String {
        let (grpc, http) = (ServedCommand.reachable(addresses.grpc), ServedCommand.reachable(addresses.http))
        let isPlain = settings.security == .plaintext
        let url = "\(isPlain ? "http" : "https")://\(http)"
        let isLocal = isPlain && grpc == "127.0.0.1:50051" && http == "127.0.0.1:8080" && settings.provider == "demo"
        let flags =
            isLocal ? "--local" : "--endpoint \(grpc) \(isPlain ? "--plaintext " : "")--provider \(settings.provider) --provider-url \(url)"
        return "tripwatch: next, run in another terminal: tripwatch book \(flags) --from -36.005,-19.99 --to -36.01,-19.98 --follow"
    }

    private func listeningLine(_ addresses: LocalServers.Addresses) -> String {
        let scheme = settings.security == .plaintext ? "http" : "https"
        return "listening grpc=\(addresses.grpc) \(scheme)=\(addresses.http)"
    }

    private struct Listening: Encodable {
        let grpc: String
        let http: String
        let tls: Bool
    }

    /// Returns the addresses as JSON, on one line.
    private func listeningObject(_ addresses: LocalServers.Addresses) -> String {
        StandardStreams.jsonText(
            Listening(grpc: "\(addresses.grpc)", http: "\(addresses.http)", tls: settings.security != .plaintext))
    }
}
