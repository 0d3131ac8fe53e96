import FleetEngine

/// The accounts that make trips and vehicles. A caller with a token has the e-mail of its token; all others have one of these names.
public enum EngineAccount {
    /// All callers without a token.
    public static let anonymous = "anonymous"
    /// The provider API's own account.
    public static let providerAPI = "provider-api"
}

/// The number of trips, or of vehicles, of each account in an engine.
struct AccountHoldings: Equatable, Sendable {
    private var counts: [String: Int] = [:]

    subscript(account: String) -> Int { counts[account] ?? 0 }

    /// Moves one object from the old account's count to the new one's. Nil stands for no account.
    mutating func note(_ account: String?, insteadOf old: String?) {
        guard account != old else { return }
        if let account { counts[account, default: 0] += 1 }
        guard let old, let count = counts[old] else { return }
        counts[old] = count > 1 ? count - 1 : nil
    }
}

extension EngineLimits {
    /// - Throws: RESOURCE_EXHAUSTED if the account has its most trips.
    func checkTrips(of account: String, count: Int) throws(FleetEngineError) {
        try Self.check(account, count, "trips", limit: tripsPerAccount)
    }

    /// - Throws: RESOURCE_EXHAUSTED if the account has its most vehicles.
    func checkVehicles(of account: String, count: Int) throws(FleetEngineError) {
        try Self.check(account, count, "vehicles", limit: vehiclesPerAccount)
    }

    private static func check(_ account: String, _ count: Int, _ kind: String, limit: Int?) throws(FleetEngineError) {
        guard let limit, count >= limit else { return }
        throw .exhausted(
            "\(kind)_per_account",
            "the account \(FleetEngineError.shown(account)) has its quota of \(limit) \(kind) (max-\(kind)-per-account): delete some first")
    }
}
