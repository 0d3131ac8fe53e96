import FleetEngineAccess
import FoundationEssentials
import HTTPServing
import Logging
import ProgramSurroundings
import TripWatchWords

/// Reloads the keys and the certificate of a running server soon after their files change. A request by the user reloads both,
/// and reopens the log files.
struct SecretRenewal: Sendable {
    let servers: LocalServers
    let security: ServerSecurity
    /// The keys for checking tokens; nil to check no tokens.
    let keys: ServedKeys?
    /// The access check that uses the keys; nil if `keys` is nil.
    let gate: AccessGate?
    let streams: StandardStreams
    let log: Logger
    let logFiles: LogFiles
    /// The service manager to notify; nil without a service manager.
    let manager: ServiceManager?
    /// State of the files before they were read for the first time.
    let firstLook: Look

    /// State of the files at one check.
    struct Look {
        private var certificate: FileWatch
        private var keys: FileWatch

        init(_ security: ServerSecurity, _ keys: ServedKeys?) {
            certificate = FileWatch(security.paths)
            self.keys = FileWatch(keys?.paths ?? [])
        }

        /// Returns whether the certificate has changed since the last check, and whether the keys have changed.
        mutating func again(_ security: ServerSecurity, _ keys: ServedKeys?) -> (certificate: Bool, keys: Bool) {
            (certificate.looksNew(security.paths), self.keys.looksNew(keys?.paths ?? []))
        }
    }

    /// Whether there are files to read again.
    var hasSecrets: Bool { keys != nil || security != .plaintext }

    /// Reason for a check: time has passed, or the user has requested it.
    enum Reason { case time, told }

    /// Runs until the task is cancelled.
    ///
    /// - Parameters:
    ///   - reasons: the stream of reasons. For the reason `told`, all files are read again.
    ///   - reason: the continuation of the stream.
    func run(_ reasons: AsyncStream<Reason>, _ reason: AsyncStream<Reason>.Continuation) async {
        let ticking = Task {
            while hasSecrets, (try? await Task.sleep(for: .seconds(FileWatch.lookSeconds))) != nil {
                reason.yield(.time)
            }
        }
        defer { ticking.cancel() }
        var look = firstLook
        for await reason in reasons {
            // The state of the files is also updated when the user requests a reload. Otherwise, a later change back to the old files would
            // go unnoticed.
            let news = look.again(security, keys)
            if reason == .told {
                manager?.tellReloading()
                reopenLogs()
            }
            var done: [String] = []
            if reason == .told || news.certificate, renewCertificate() { done.append("the certificate") }
            // Reloaded keys are reported only after HUP, because the first start creates the key files itself.
            if reason == .told || news.keys, renewKeys(), reason == .told { done.append("the keys") }
            if reason == .told { manager?.tellReady() }
            if reason == .told, !hasSecrets, logFiles.isEmpty {
                streams.note("tripwatch: HUP: no keys and no certificate to reload.")
            }
            let cause = reason == .told ? "HUP: " : ""
            if !done.isEmpty { streams.note("tripwatch: \(cause)reloaded \(done.joined(separator: " and ")).") }
        }
    }

    private func reopenLogs() {
        guard !logFiles.isEmpty else { return }
        let troubles = logFiles.reopen()
        for trouble in troubles { tell("\(trouble) Logging continues in the old file.") }
        if troubles.isEmpty { streams.note("tripwatch: HUP: the log files were reopened.") }
    }

    /// Reads the certificate again. Returns whether this succeeded; false without a certificate.
    private func renewCertificate() -> Bool {
        guard security != .plaintext else { return false }
        do throws(ListenError) {
            try servers.readCertificateAgain()
            log.info("certificate read again")
            checkCertificate()
            return true
        } catch {
            tell("the certificate was not reloaded: \(error).")
            return false
        }
    }

    /// Warns if every user can read the certificate's key. Also warns if clients refuse the certificate because of its dates.
    func checkCertificate() {
        if let warning = SecretFile.warning(of: [security.keyPath].compactMap { $0 }) { tell(warning) }
        checkDates()
    }

    /// Warns if clients refuse the certificate because it has expired or is not valid yet.
    private func checkDates() {
        guard case .tls(let file, _) = security, let (from, to) = try? security.validity() else { return }
        func day(_ seconds: Int) -> Substring { Timestamps.rfc3339(Date(timeIntervalSince1970: Double(seconds))).prefix(10) }
        let now = Int(Date().timeIntervalSince1970)
        guard now < from || now > to else { return }
        let fault = now < from ? "is not valid before \(day(from))" : "expired on \(day(to))"
        tell("warning: the certificate \(printable(file)) \(fault), so clients do not accept it.")
    }

    /// Reads the keys again. Returns whether this succeeded; false without keys.
    private func renewKeys() -> Bool {
        guard let keys, let gate else { return false }
        do throws(Failure) {
            for trouble in try keys.renew(gate) { tell(trouble) }
            log.info("keys read again")
            return true
        } catch {
            tell("the keys were not reloaded: \(error)")
            return false
        }
    }

    private func tell(_ sentence: String) {
        log.warning("\(sentence)")
        streams.say("tripwatch: \(sentence)")
    }
}
