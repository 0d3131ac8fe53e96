import FleetEngineAccess
import HTTPServing
import Logging
import ProgramSurroundings

/// Lets a running server take its keys and its certificate as their files say, soon after they change and whenever it is told to; then it
/// opens its log files again too.
struct SecretRenewal: Sendable {
    let servers: LocalServers
    let security: ServerSecurity
    /// Nil where no tokens are checked.
    let keys: ServedKeys?
    /// Nil with the keys.
    let gate: AccessGate?
    let streams: StandardStreams
    let log: Logger
    let logFiles: LogFiles
    /// Nil where nobody wants to know.
    let manager: ServiceManager?
    /// As the files were before they were read first.
    let firstLook: Look

    /// What the files were like when they were looked at.
    struct Look {
        private var certificate: FileWatch
        private var keys: FileWatch

        init(_ security: ServerSecurity, _ keys: ServedKeys?) {
            certificate = FileWatch(security.paths)
            self.keys = FileWatch(keys?.paths ?? [])
        }

        /// What is different from the last look.
        mutating func again(_ security: ServerSecurity, _ keys: ServedKeys?) -> (certificate: Bool, keys: Bool) {
            (certificate.looksNew(security.paths), self.keys.looksNew(keys?.paths ?? []))
        }
    }

    /// Whether there is anything to read again.
    var hasSecrets: Bool { keys != nil || security != .plaintext }

    /// Why everything is looked at.
    enum Reason { case time, told }

    /// Until the task is cancelled.
    ///
    /// - Parameters:
    ///   - reasons: where `reason` arrives; `told` reads everything again.
    ///   - reason: also for those who tell.
    func run(_ reasons: AsyncStream<Reason>, _ reason: AsyncStream<Reason>.Continuation) async {
        let ticking = Task {
            while hasSecrets, (try? await Task.sleep(for: .seconds(FileWatch.lookSeconds))) != nil {
                reason.yield(.time)
            }
        }
        defer { ticking.cancel() }
        var look = firstLook
        for await reason in reasons {
            // A look at each reading: what is read now must not pass for unchanged when it is taken back.
            let news = look.again(security, keys)
            if reason == .told {
                manager?.tellReloading()
                reopenLogs()
            }
            var done: [String] = []
            if reason == .told || news.certificate, renewCertificate() { done.append("the certificate") }
            if reason == .told || news.keys, renewKeys() { done.append("the keys") }
            if reason == .told { manager?.tellReady() }
            if reason == .told, !hasSecrets, logFiles.isEmpty {
                streams.note("tripwatch: HUP: there are no keys and no certificate to read again.")
            }
            if reason == .told, !done.isEmpty { streams.note("tripwatch: HUP: read again: \(done.joined(separator: " and ")).") }
        }
    }

    private func reopenLogs() {
        guard !logFiles.isEmpty else { return }
        let troubles = logFiles.reopen()
        for trouble in troubles { tell("\(trouble) It goes on in the file that it was.") }
        if troubles.isEmpty { streams.note("tripwatch: HUP: the log files were opened again.") }
    }

    /// Whether it is now as its files say; false where there is none.
    private func renewCertificate() -> Bool {
        guard security != .plaintext else { return false }
        do throws(ListenError) {
            try servers.readCertificateAgain()
            log.info("certificate read again")
            return true
        } catch {
            tell("The certificate stays as it was: \(error).")
            return false
        }
    }

    /// Whether they are now as their files say; false where there are none.
    private func renewKeys() -> Bool {
        guard let keys, let gate else { return false }
        do throws(Failure) {
            for trouble in try keys.renew(gate) { tell(trouble) }
            log.info("keys read again")
            return true
        } catch {
            tell("The keys stay as they were: \(error)")
            return false
        }
    }

    private func tell(_ sentence: String) {
        log.warning("\(sentence)")
        streams.say(sentence)
    }
}
