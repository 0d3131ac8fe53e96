/// One of the provider's own values on a task or a delivery vehicle.
public struct DeliveryAttribute: Hashable, Sendable {
    /// A value in one of the three forms of the API.
    public enum Value: Hashable, Sendable {
        /// A text; it may be empty.
        case text(String)
        /// A Boolean value.
        case truth(Bool)
        /// A number.
        case number(Double)
    }

    /// The key, unique on its task or vehicle.
    public var key: String
    /// The value as it was sent.
    public var value: Value

    /// Creates an attribute.
    public init(key: String, value: Value) {
        self.key = key
        self.value = value
    }

    /// Creates an attribute whose value is a text.
    public init(key: String, text: String) { self.init(key: key, value: .text(text)) }
}
