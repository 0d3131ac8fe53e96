import Dispatch
import FoundationEssentials
import Glibc
import ProgramSurroundings

/// The socket by which the owner of links lists and ends them. Nobody else may open it.
final class ShareSocket: Sendable {
    /// The longest line that is read, bytes.
    private static let longestLine = 4_096

    private let path: String
    // Dispatch sources are thread-safe but not marked so; this one is only kept alive.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Nil where there can be none; that is said.
    @MainActor
    init?(_ table: ShareTable, in surroundings: Surroundings) {
        guard let folder = Self.folder(environment: surroundings.environment) else {
            surroundings.streams.say(
                "tripwatch: no folder for a socket (set HOME): 'share list' and 'share end' do not reach this program.")
            return nil
        }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = folder + "/share-\(getpid()).sock"
        unlink(path)
        guard let listening = LocalSocket.listen(at: path) else {
            surroundings.streams.say(
                "tripwatch: no socket in \(printable(folder)): 'share list' and 'share end' do not reach this program.")
            return nil
        }
        source = DispatchSource.makeReadSource(fileDescriptor: listening, queue: DispatchQueue(label: "tripwatch.share"))
        // Without these words the handlers would be the main actor's, and trap on the queue.
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

    /// Where the sockets are; nil where there is no place for them.
    static func folder(environment: [String: String]) -> String? {
        if let base = environment["XDG_RUNTIME_DIR"], base.hasPrefix("/") { return base + "/tripwatch" }
        return StateFolder.path(environment: environment)
    }
}

/// Unix sockets, as far as a line and its answer need them.
enum LocalSocket {
    private static let patienceSeconds = 2

    /// Listens; nil where that cannot be.
    static func listen(at path: String) -> Int32? {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        // Whoever comes between is refused: it does not listen yet.
        guard named(path, { bind(socket, $0, $1) }) == 0, chmod(path, 0o600) == 0, Glibc.listen(socket, 8) == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    /// Sends a line, and reads the whole answer; nil where nobody listens.
    static func ask(_ line: String, at path: String) -> String? {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        limitTime(socket)
        guard named(path, { connect(socket, $0, $1) }) == 0 else { return nil }
        send(line + "\n", to: socket)
        return text(from: socket, limit: 1 << 20, untilLine: false)
    }

    static func limitTime(_ socket: Int32) {
        var limit = timeval(tv_sec: patienceSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    static func send(_ text: String, to socket: Int32) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// A line without its end, or all that comes; nil for too much, and for text that is none.
    static func text(from socket: Int32, limit: Int, untilLine: Bool) -> String? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= limit {
            let count = read(socket, &part, part.count)
            guard count >= 0 else { return nil }
            if count == 0 { return untilLine ? nil : String(validating: bytes, as: UTF8.self) }
            bytes += part.prefix(count)
            if untilLine, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return String(validating: bytes[..<end], as: UTF8.self) }
        }
        return nil
    }

    private static func named(_ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
