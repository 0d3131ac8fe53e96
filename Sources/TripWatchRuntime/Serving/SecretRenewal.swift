import FleetEngineAccess
import LocalFleetEngine
import Logging
import TripWatchApp

/// Lets a running server take its keys and its certificate as their files say, soon after they change and whenever it is told to.
struct SecretRenewal: Sendable {
    /// Between two looks at the files, seconds.
    private static let lookSeconds = 5.0

    let servers: LocalServers
    let security: LocalFleetEngineServer.Security
    /// Nil where no tokens are checked.
    let keys: ServedKeys?
    /// Nil with the keys.
    let gate: AccessGate?
    let streams: StandardStreams
    let log: Logger

    private var certificatePaths: [String] {
        if case .tls(let certificateFile, let keyFile) = security { [certificateFile, keyFile] } else { [] }
    }

    /// Until the task is cancelled.
    ///
    /// - Parameter hangUps: each one is a wish to read everything again.
    func run(hangUps: AsyncStream<Void>) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in hangUps {
                    renewCertificate()
                    renewKeys()
                }
            }
            group.addTask { await look() }
        }
    }

    private func look() async {
        var (certificate, secrets) = (FileWatch(), FileWatch())
        _ = certificate.looksNew(certificatePaths)
        _ = secrets.looksNew(keys?.paths ?? [])
        while (try? await Task.sleep(for: .seconds(Self.lookSeconds))) != nil {
            if certificate.looksNew(certificatePaths) { renewCertificate() }
            if secrets.looksNew(keys?.paths ?? []) { renewKeys() }
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
