import Glibc

/// The service manager that started this process: systemd. The process reports its state in datagrams to a socket; an environment variable
/// contains the socket's path.
///
/// Source: sd_notify(3), which describes this protocol as stable.
package struct ServiceManager: Sendable {
    /// The longest time between two watchdog messages, in seconds; nil if systemd expects no such messages.
    package let watchdogSeconds: Double?
    private let socketPath: String

    /// Returns nil if no service manager expects reports from this process.
    package init?(environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"),
            (2..<Self.pathBytes).contains(path.utf8.count)
        else { return nil }
        socketPath = path
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { UInt64($0) } ?? 0
        watchdogSeconds = isMeant && microseconds > 0 ? Double(microseconds) / 1e6 : nil
    }

    private static let pathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    /// Reports that the service is ready. Must be called when the service has started, and again after each ``tellReloading()``.
    package func tellReady(_ status: String? = nil) { tell(["READY=1"] + (status.map { ["STATUS=\($0)"] } ?? [])) }

    /// Reports that the service is reading its settings again.
    package func tellReloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        tell(["RELOADING=1", "MONOTONIC_USEC=\(Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000)"])
    }

    /// Reports that the service is about to stop.
    package func tellStopping() { tell(["STOPPING=1"]) }

    /// Sends a watchdog message twice per `watchdogSeconds`, until the task is cancelled.
    package func keepAlive() async {
        guard let watchdogSeconds else { return }
        repeat { tell(["WATCHDOG=1"]) } while (try? await Task.sleep(for: .seconds(watchdogSeconds / 2))) != nil
    }

    /// Sends lines to the service manager. A failure is ignored, because it cannot be reported.
    private func tell(_ lines: [String]) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(socketPath.utf8)
        // A leading `@` marks the name of an abstract socket. The system expects a zero byte in its place.
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout.size(ofValue: address) - Self.pathBytes + name.count)
        let message = Array(lines.joined(separator: "\n").utf8)
        withUnsafeBytes(of: &address) { bytes in
            _ = sendto(
                descriptor, message, message.count, Int32(MSG_NOSIGNAL), bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                length)
        }
    }
}
