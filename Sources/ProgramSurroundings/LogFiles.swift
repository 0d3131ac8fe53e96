import Synchronization

/// The open log files of a program. They can be reopened after another program has moved them away.
package final class LogFiles: Sendable {
    private let reopening = Mutex<[@Sendable () throws(Failure) -> Void]>([])

    package init() {}

    /// Whether no file is open.
    package var isEmpty: Bool { reopening.withLock { $0.isEmpty } }

    /// Adds a log file.
    /// - Parameter reopen: reopens one file. If it throws, it must keep the old file in use.
    func add(_ reopen: @escaping @Sendable () throws(Failure) -> Void) { reopening.withLock { $0.append(reopen) } }

    /// Reopens all log files.
    /// - Returns: one sentence for each failure.
    package func reopen() -> [String] {
        reopening.withLock { $0 }.compactMap { reopen -> String? in
            do throws(Failure) {
                try reopen()
                return nil
            } catch {
                return "\(error)"
            }
        }
    }
}
