/// The kind of a trip: a ride with a passenger, or an order that a courier delivers.
///
/// Fleet Engine's messages have no field for the kind, so a trip's attribute `kind` contains it. Without this attribute, the user
/// can choose the kind.
public enum TripKind: String, CaseIterable, Hashable, Sendable {
    /// A rider gets in at the pickup and out at the drop-off.
    case ride
    /// A courier collects the order at the pickup (the shop) and brings it to the drop-off.
    case order

    /// The key of the attribute for the kind. Its value is `ride` or `order`, in lower case.
    public static let attributeKey = "kind"

    /// Creates the kind from the attributes. Without a valid attribute, the kind is the fallback, or a ride if there is no fallback.
    /// - Parameters:
    ///   - attributes: the trip's attributes.
    ///   - fallback: the kind that the user chose; nil if the user chose none.
    public init(attributes: [String: String], fallback: TripKind? = nil) {
        self = attributes[Self.attributeKey].flatMap(TripKind.init(rawValue:)) ?? fallback ?? .ride
    }
}
