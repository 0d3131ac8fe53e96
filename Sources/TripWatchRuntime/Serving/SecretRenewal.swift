import FleetEngineAccess
import LocalFleetEngine
import Logging
import TripWatchApp

/// Lets a running server take its keys and its certificate as their files say, soon after they change and whenever it is told to.
struct SecretRenewal: Sendable {
    let servers: LocalServers
    let security: LocalFleetEngineServer.Security
    /// Nil where no tokens are checked.
    let keys: ServedKeys?
    /// Nil with the keys.
    let gate: AccessGate?
    let streams: StandardStreams
    let log: Logger
    /// Nil where nobody wants to know.
    let manager: ServiceManager?
    /// As the files were before they were read first.
    let firstLook: Look

    /// What the files were like when they were looked at.
    struct Look {
        private var certificate: FileWatch
        private var keys: FileWatch

        init(_ security: LocalFleetEngineServer.Security, _ keys: ServedKeys?) {
            certificate = FileWatch(security.paths)
            self.keys = FileWatch(keys?.paths ?? [])
        }

        /// What is different from the last look.
        mutating func again(_ security: LocalFleetEngineServer.Security, _ keys: ServedKeys?) -> (certificate: Bool, keys: Bool) {
            (certificate.looksNew(security.paths), self.keys.looksNew(keys?.paths ?? []))
        }
    }

    /// Why everything is looked at.
    enum Reason { case time, told }

    /// Until the task is cancelled.
    ///
    /// - Parameters:
    ///   - reasons: where `reason` arrives; `told` reads everything again.
    ///   - reason: also for those who tell.
    func run(_ reasons: AsyncStream<Reason>, _ reason: AsyncStream<Reason>.Continuation) async {
        let ticking = Task {
            while (try? await Task.sleep(for: .seconds(FileWatch.lookSeconds))) != nil { reason.yield(.time) }
        }
        defer { ticking.cancel() }
        var look = firstLook
        for await reason in reasons {
            // A look at each reading: what is read now must not pass for unchanged when it is taken back.
            let news = look.again(security, keys)
            if reason == .told { manager?.tellReloading() }
            if reason == .told || news.certificate { renewCertificate() }
            if reason == .told || news.keys { renewKeys() }
            if reason == .told { manager?.tellReady() }
        }
    }

    private func renewCertificate() {
        guard security != .plaintext else { return }
        do throws(LocalFleetEngineServer.ListenError) {
            try servers.readCertificateAgain()
            log.info("certificate read again")
        } catch {
            tell("The certificate stays as it was: \(error).")
        }
    }

    private func renewKeys() {
        guard let keys, let gate else { return }
        do throws(Failure) {
            for trouble in try keys.renew(gate) { tell(trouble) }
            log.info("keys read again")
        } catch {
            tell("The keys stay as they were: \(error)")
        }
    }

    private func tell(_ sentence: String) {
        log.warning("\(sentence)")
        streams.say(sentence)
    }
}

extension LocalFleetEngineServer.Security {
    /// The files of certificate and key; none without TLS.
    var paths: [String] {
        if case .tls(let certificateFile, let keyFile) = self { [certificateFile, keyFile] } else { [] }
    }
}
