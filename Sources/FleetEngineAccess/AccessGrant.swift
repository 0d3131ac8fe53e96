/// What a verified token allows: whose it is, and for which trip or vehicle.
public struct AccessGrant: Hashable, Sendable {
    /// The account's.
    public let role: AccountRole
    /// The account's.
    public let email: String
    /// Which of the account's keys has signed the token: its `kid`, which is no secret.
    public let keyID: String
    /// The bare id of the trip that the token is for, `*` for any; nil for none.
    public let tripID: String?
    /// The bare id of the vehicle, `*` for any; nil for none.
    public let vehicleID: String?
    /// From then on the token is refused, seconds since 1970.
    let expiry: Double

    init(
        role: AccountRole, email: String = "", keyID: String = "", tripID: String? = nil, vehicleID: String? = nil,
        expiry: Double = .infinity
    ) {
        self.role = role
        self.email = email
        self.keyID = keyID
        self.tripID = tripID
        self.vehicleID = vehicleID
        self.expiry = expiry
    }

    /// Whether the token is for a trip. One whose name cannot be read is covered by `*` alone.
    func covers(trip: String?) -> Bool { Self.covers(tripID, trip) }

    /// Whether the token is for a vehicle.
    func covers(vehicle: String?) -> Bool { Self.covers(vehicleID, vehicle) }

    private static func covers(_ claim: String?, _ id: String?) -> Bool { claim == "*" || claim != nil && claim == id }
}
