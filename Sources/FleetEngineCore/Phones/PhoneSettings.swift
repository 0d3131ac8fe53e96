/// The settings for cars with phones.
public struct PhoneSettings: Hashable, Sendable {
    /// Radius around a stop within which a car counts as being there, 1 to 10,000 metres. A fix with a larger error does not show
    /// an arrival or a departure.
    public var arrivalRadiusMeters = 50.0
    /// Whether the provider sets the statuses of these cars' trips. Otherwise the engine sets them from the phones' fixes.
    public var isManual = false

    /// Creates settings with a radius of 50 m, and `isManual` false.
    public init() {}
}
