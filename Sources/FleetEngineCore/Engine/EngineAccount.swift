import FleetEngine

/// The accounts of callers without a token. They are recorded with the trips, vehicles and tasks that these callers create. The account of
/// any other caller is the email address in its token.
public enum EngineAccount {
    /// The account of callers without a token.
    public static let anonymous = "anonymous"
    /// The account of the provider API.
    public static let providerAPI = "provider-api"
}

/// The number of trips per account, or of vehicles per account.
struct AccountHoldings: Equatable, Sendable {
    private var counts: [String: Int] = [:]

    subscript(account: String) -> Int { counts[account] ?? 0 }

    /// Adds 1 to the new account's count, and subtracts 1 from the old account's count. Nil means no account.
    mutating func note(_ account: String?, insteadOf old: String?) {
        guard account != old else { return }
        if let account { counts[account, default: 0] += 1 }
        guard let old, let count = counts[old] else { return }
        counts[old] = count > 1 ? count - 1 : nil
    }
}

extension EngineLimits {
    /// - Throws: RESOURCE_EXHAUSTED if the account has reached its limit of trips.
    func checkTrips(of account: String, count: Int) throws(FleetEngineError) {
        try Self.check(account, count, "trips", limit: tripsPerAccount)
    }

    /// - Throws: RESOURCE_EXHAUSTED if the account has reached its limit of vehicles.
    func checkVehicles(of account: String, count: Int) throws(FleetEngineError) {
        try Self.check(account, count, "vehicles", limit: vehiclesPerAccount)
    }

    private static func check(_ account: String, _ count: Int, _ kind: String, limit: Int?) throws(FleetEngineError) {
        guard let limit, count >= limit else { return }
        let name = FleetEngineError.shown(account)
        throw .exhausted(
            "\(kind)_per_account",
            "the account \(name) has reached its quota of \(kind) (--max-\(kind)-per-account \(limit)): delete some first")
    }
}
