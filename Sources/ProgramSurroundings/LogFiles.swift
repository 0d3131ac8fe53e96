import Synchronization

/// The log files that a program has open, so that they can be opened again when something else has moved them away.
package final class LogFiles: Sendable {
    private let reopening = Mutex<[@Sendable () throws(Failure) -> Void]>([])

    package init() {}

    /// Whether there are none.
    package var isEmpty: Bool { reopening.withLock { $0.isEmpty } }

    /// - Parameter reopen: opens one of them again; where that fails it goes on with what it has.
    func add(_ reopen: @escaping @Sendable () throws(Failure) -> Void) { reopening.withLock { $0.append(reopen) } }

    /// Opens all of them again.
    /// - Returns: what went wrong, a sentence each.
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
