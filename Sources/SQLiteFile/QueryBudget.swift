import CSQLite
import Synchronization

/// Stops queries that take too long or never end. A view in a hostile file can loop forever, and a search in a table without an index
/// reads the whole table.
final class QueryBudget: Sendable {
    /// The number of instructions of SQLite's virtual machine between two checks of the budget.
    private static let stepCount: CInt = 10_000
    /// The maximum number of checks in a query. A query reaches this number after about a second.
    private static let lookCount = 4_000

    private let looks = Atomic(0)
    private let valueBytes: CInt

    /// - Parameter valueBytes: the maximum size of a value.
    init(valueBytes: Int) { self.valueBytes = CInt(clamping: valueBytes) }

    /// Restores the full budget for the next query.
    func renew() { looks.store(Self.lookCount, ordering: .relaxed) }

    /// Sets the limits of a connection: this budget, the maximum size of a value, no attached databases and no pattern matching. A single
    /// match could take very long, and the budget could not stop it.
    func limit(_ connection: OpaquePointer) {
        renew()
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, valueBytes)
        sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 0)
        sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
        // The unretained pointer is safe, because the database keeps the budget alive for as long as the connection is open.
        sqlite3_progress_handler(
            connection, Self.stepCount,
            { context in
                guard let context else { return 0 }
                return Unmanaged<QueryBudget>.fromOpaque(context).takeUnretainedValue().isSpent() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func isSpent() -> Bool { looks.wrappingSubtract(1, ordering: .relaxed).newValue < 0 }
}
