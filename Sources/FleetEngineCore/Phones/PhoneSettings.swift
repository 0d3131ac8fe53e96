/// The settings for cars with phones.
public struct PhoneSettings: Hashable, Sendable {
    /// The radius of a stop, 1 ... 10,000 metres. A car is at the stop if its fix is within the radius, and if the fix's accuracy is not
    /// worse than the radius.
    public var arrivalRadiusMeters = 50.0
    /// Whether the provider sets the statuses of the trips of all cars. Otherwise the engine sets them from the phones' fixes.
    public var isManual = false

    /// Creates settings with a radius of 50 m. The engine sets the statuses of trips.
    public init() {}
}
