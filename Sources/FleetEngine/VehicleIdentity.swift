/// Details by which a rider recognises the vehicle at the kerb. In an update, a member that is nil leaves the detail unchanged.
public struct VehicleIdentity: Hashable, Sendable {
    /// The number plate, such as `KVX 204`.
    public var plate: String?
    /// The colour, such as `teal`.
    public var color: String?
    /// Make and model, such as `Škoda Fabia`.
    public var model: String?
    /// The driver's name.
    public var driver: String?

    /// Creates an identity with these members.
    public init(plate: String? = nil, color: String? = nil, model: String? = nil, driver: String? = nil) {
        self.plate = plate
        self.color = color
        self.model = model
        self.driver = driver
    }

    /// The members as attributes of a vehicle, with the keys `plate`, `color`, `model` and `driver`.
    public var attributes: [String: String] {
        ["plate": plate, "color": color, "model": model, "driver": driver].compactMapValues { $0 }
    }
}
