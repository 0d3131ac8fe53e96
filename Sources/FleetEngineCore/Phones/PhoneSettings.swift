/// The settings for cars with phones.
public struct PhoneSettings: Hashable, Sendable {
    /// The radius of a stop, 1 ... 10,000 metres. A car is at the stop if it is within the radius and its fix is as accurate.
    public var arrivalRadiusMeters = 50.0
    /// Whether the desk moves the trips of all cars. Otherwise they move by themselves.
    public var isManual = false

    /// A radius of 50 m, and trips that move by themselves.
    public init() {}
}
