/// The settings for cars with phones.
public struct PhoneSettings: Hashable, Sendable {
    /// The radius of a stop, 1 ... 10,000 metres. A car is at the stop if it is within the radius, and if its fix is at least as accurate.
    public var arrivalRadiusMeters = 50.0
    /// Whether the provider moves the trips of all cars. Otherwise the trips move by themselves.
    public var isManual = false

    /// Creates settings with a radius of 50 m and trips that move by themselves.
    public init() {}
}
