import Synchronization

/// Limits the total memory, in bytes, of the messages and answers of all connections.
final class GRPCBudget: Sendable {
    private let limit: Int
    private let taken = Atomic(0)

    init(limit: Int) { self.limit = limit }

    /// Number of bytes in use.
    var takenBytes: Int { taken.load(ordering: .relaxed) }

    /// - Returns: false if fewer than `bytes` are left in the budget; nothing is reserved then.
    fileprivate func reserve(_ bytes: Int) -> Bool {
        guard bytes > 0 else { return true }
        if taken.add(bytes, ordering: .relaxed).newValue <= limit { return true }
        giveBack(bytes)
        return false
    }

    fileprivate func giveBack(_ bytes: Int) {
        if bytes > 0 { taken.subtract(bytes, ordering: .relaxed) }
    }
}

/// The bytes that one connection uses. The first `ownBytes` of them do not count towards the budget, so that small calls are answered even
/// if other connections use the whole budget.
struct GRPCShare {
    private let budget: GRPCBudget
    private let ownBytes: Int
    private var count = 0

    init(of budget: GRPCBudget, ownBytes: Int) {
        self.budget = budget
        self.ownBytes = ownBytes
    }

    private func shared(_ count: Int) -> Int { max(0, count - ownBytes) }

    /// - Returns: false if fewer bytes than needed are left in the budget; nothing is reserved then.
    mutating func reserve(_ bytes: Int) -> Bool {
        guard budget.reserve(shared(count + bytes) - shared(count)) else { return false }
        count += bytes
        return true
    }

    mutating func giveBack(_ bytes: Int) {
        budget.giveBack(shared(count) - shared(count - bytes))
        count -= bytes
    }
}
