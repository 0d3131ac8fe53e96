/// The contents of a checked token that determine its rights: the account that signed it, and the trip, vehicle or delivery that it
/// is for.
public struct AccessGrant: Hashable, Sendable {
    /// The role of the account.
    public let role: AccountRole
    /// The email address of the account.
    public let email: String
    /// The id of the key that signed the token (`kid`). It is not secret.
    public let keyID: String
    /// The bare id of the token's trip; `*` for any trip, nil for none.
    public let tripID: String?
    /// The bare id of the token's vehicle; `*` for any vehicle, nil for none.
    public let vehicleID: String?
    /// The shipments, tasks and delivery vehicles that the token is for.
    public let deliveries: DeliveryClaims
    /// Whether the token allows only calls that change nothing, as a token for a map of the fleet does.
    public let isReadOnly: Bool
    /// The time from which the token is refused, in seconds since 1970.
    let expiry: Double

    init(
        role: AccountRole, email: String = "", keyID: String = "", tripID: String? = nil, vehicleID: String? = nil,
        deliveries: DeliveryClaims = DeliveryClaims(), isReadOnly: Bool = false, expiry: Double = .infinity
    ) {
        self.role = role
        self.email = email
        self.keyID = keyID
        self.tripID = tripID
        self.vehicleID = vehicleID
        self.deliveries = deliveries
        self.isReadOnly = isReadOnly
        self.expiry = expiry
    }

    /// Whether the token is valid for a trip. If the trip's name is unreadable (nil), only a token for `*` is valid.
    func covers(trip: String?) -> Bool { Self.covers(tripID, trip) }

    /// Whether the token is valid for a vehicle. If the vehicle's name is unreadable (nil), only a token for `*` is valid.
    func covers(vehicle: String?) -> Bool { Self.covers(vehicleID, vehicle) }

    private static func covers(_ claim: String?, _ id: String?) -> Bool { claim == "*" || claim != nil && claim == id }
}
