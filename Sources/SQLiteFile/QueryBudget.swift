import CSQLite
import Synchronization

/// Ends queries that never end or take too long: a view in a hostile file can count to infinity, and a table without an index is read
/// whole.
final class QueryBudget: Sendable {
    /// Instructions of SQLite's virtual machine between two looks at the budget.
    private static let stepCount: CInt = 10_000
    /// Looks that a query may take: about a second.
    private static let lookCount = 4_000

    private let looks = Atomic(0)
    private let valueBytes: CInt

    /// - Parameter valueBytes: no value may be larger.
    init(valueBytes: Int) { self.valueBytes = CInt(clamping: valueBytes) }

    /// Gives the next query its whole budget.
    func renew() { looks.store(Self.lookCount, ordering: .relaxed) }

    /// Puts the limits on a connection: this budget, no large values, and no patterns to be matched by views, since one
    /// match can take longer than all patience and cannot be ended.
    func limit(_ connection: OpaquePointer) {
        renew()
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, valueBytes)
        sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 0)
        sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
        // The database keeps the budget for as long as it has the connection.
        sqlite3_progress_handler(
            connection, Self.stepCount,
            { context in
                guard let context else { return 0 }
                return Unmanaged<QueryBudget>.fromOpaque(context).takeUnretainedValue().isSpent() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func isSpent() -> Bool { looks.wrappingSubtract(1, ordering: .relaxed).newValue < 0 }
}
