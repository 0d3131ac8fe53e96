/// What a trip carries: somebody who rides along, or an order that a courier brings.
///
/// Fleet Engine's messages do not say it, so a trip's attributes do, and the user where they do not.
public enum TripKind: String, CaseIterable, Hashable, Sendable {
    /// A rider gets in at the pickup and out at the drop-off.
    case ride
    /// A courier gets the order at the pickup, the shop, and brings it to the drop-off.
    case order

    /// The key of the attribute that says it: `ride` or `order`, in lower case.
    public static let attributeKey = "kind"

    /// The kind that the attributes say; where they say none, the fallback; else a ride. Another value counts as none.
    /// - Parameters:
    ///   - attributes: the trip's own.
    ///   - fallback: what the user says; nil without a word.
    public init(attributes: [String: String], fallback: TripKind? = nil) {
        self = attributes[Self.attributeKey].flatMap(TripKind.init(rawValue:)) ?? fallback ?? .ride
    }
}
