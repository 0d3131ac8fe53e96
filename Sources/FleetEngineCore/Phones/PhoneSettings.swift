/// The settings for cars with phones.
public struct PhoneSettings: Hashable, Sendable {
    /// The distance from a stop up to which a car counts as being at the stop, from 1 to 10,000 metres. The fix's accuracy must not be
    /// worse than this distance.
    public var arrivalRadiusMeters = 50.0
    /// Whether the provider sets the statuses of the trips of all cars. Otherwise the engine sets them from the phones' fixes.
    public var isManual = false

    /// Creates settings with a radius of 50 m. The engine sets the statuses of trips.
    public init() {}
}
