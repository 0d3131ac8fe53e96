import FleetEngine

/// Who makes trips and vehicles: for callers with tokens the e-mail of the token's account, for all others one of these.
public enum EngineAccount {
    /// All callers without a token.
    public static let anonymous = "anonymous"
    /// The provider API.
    public static let providerAPI = "provider-api"
}

/// How many trips, or vehicles, of each account an engine holds.
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
    /// - Throws: RESOURCE_EXHAUSTED where an account can have no further trip.
    func checkTrips(of account: String, count: Int) throws(FleetEngineError) {
        try Self.check(account, count, "trips", limit: tripsPerAccount)
    }

    /// - Throws: RESOURCE_EXHAUSTED where an account can have no further vehicle.
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
