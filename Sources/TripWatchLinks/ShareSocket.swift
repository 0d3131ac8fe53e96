import Dispatch
import FoundationEssentials
import Glibc
import ProgramSurroundings

/// The socket through which the user lists and ends links. Other users cannot open it.
final class ShareSocket: Sendable {
    /// Maximum length of a line, in bytes.
    private static let longestLine = 4_096

    private let path: String
    // Dispatch sources are thread-safe, although their type does not say so.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Creates the socket. If that is not possible, reports the reason and returns nil.
    @MainActor
    init?(_ table: ShareTable, in surroundings: Surroundings) {
        guard let folder = Self.folder(environment: surroundings.environment) else {
            surroundings.streams.say(
                "tripwatch: the folder for the socket is unknown, so 'share list' and 'share end' cannot reach this program: set HOME.")
            return nil
        }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = folder + "/share-\(getpid()).sock"
        unlink(path)
        guard let listening = LocalSocket.listen(at: path) else {
            surroundings.streams.say(
                "tripwatch: no socket can be created in \(printable(folder)), so 'share list' and 'share end' cannot reach this program.")
            return nil
        }
        source = DispatchSource.makeReadSource(fileDescriptor: listening, queue: DispatchQueue(label: "tripwatch.share"))
        // Without this annotation, the handlers would be isolated to the main actor, and would crash on the queue.
        let answering: @Sendable () -> Void = {
            let caller = accept(listening, nil, nil)
            guard caller >= 0 else { return }
            _ = fcntl(caller, F_SETFD, FD_CLOEXEC)
            LocalSocket.limitTime(caller)
            guard let line = LocalSocket.text(from: caller, limit: Self.longestLine, untilLine: true) else {
                Glibc.close(caller)
                return
            }
            Task { @MainActor in
                let answer = table.answer(line)
                DispatchQueue.global().async {
                    LocalSocket.send(answer, to: caller)
                    Glibc.close(caller)
                }
            }
        }
        let closing: @Sendable () -> Void = { Glibc.close(listening) }
        source.setEventHandler(handler: answering)
        source.setCancelHandler(handler: closing)
        source.resume()
    }

    func close() {
        source.cancel()
        unlink(path)
    }

    /// Returns the folder for the sockets; nil if there is neither a runtime directory nor a home directory.
    static func folder(environment: [String: String]) -> String? {
        if let base = environment["XDG_RUNTIME_DIR"], base.hasPrefix("/") { return base + "/tripwatch" }
        return StateFolder.path(environment: environment)
    }

    /// Returns the folders in which programs of this user may have created their sockets. Programs started by cron have no
    /// XDG_RUNTIME_DIR, but other programs of the same user have it.
    static func folders(environment: [String: String]) -> [String] {
        let login = ["XDG_RUNTIME_DIR": "/run/user/\(getuid())"].merging(environment) { $1 }
        let folders = [folder(environment: login), StateFolder.path(environment: environment)].compactMap { $0 }
        return folders.first == folders.last ? Array(folders.prefix(1)) : folders
    }
}
