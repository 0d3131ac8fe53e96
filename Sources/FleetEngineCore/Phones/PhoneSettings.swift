/// How the cars of phones are served.
public struct PhoneSettings: Hashable, Sendable {
    /// A car that is no farther from a stop is at it, if its fix is no less accurate; 1 ... 10,000 metres.
    public var arrivalRadiusMeters = 50.0
    /// Whether the trips of all cars wait for the desk instead of moving by themselves.
    public var isManual = false

    /// Arrived within 50 m; trips move by themselves.
    public init() {}
}
