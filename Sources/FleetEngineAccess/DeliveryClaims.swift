/// A token's claims about deliveries. Ids are bare; `*` means any id, and nil means none.
public struct DeliveryClaims: Hashable, Sendable {
    /// The tracking id of a shipment.
    public var trackingID: String?
    /// The id of a task.
    public var taskID: String?
    /// The ids of the tasks in a batch; empty for none.
    public var taskIDs: [String]
    /// The id of a delivery vehicle.
    public var vehicleID: String?
    /// The claim `trusted`: whether a driver is trusted even if the claims name no task. It has no effect without a delivery vehicle.
    public var isTrusted: Bool

    /// Creates claims. By default, they are for no shipment, task or vehicle.
    public init(
        trackingID: String? = nil, taskID: String? = nil, taskIDs: [String] = [], vehicleID: String? = nil, isTrusted: Bool = false
    ) {
        self.trackingID = trackingID
        self.taskID = taskID
        self.taskIDs = taskIDs
        self.vehicleID = vehicleID
        self.isTrusted = isTrusted
    }

    /// Claims for every shipment, task and delivery vehicle, for a provider's backend.
    public static let everything = DeliveryClaims(trackingID: "*", taskID: "*", taskIDs: ["*"], vehicleID: "*")

    /// Whether the claims are for no shipment, task or vehicle.
    public var isEmpty: Bool { trackingID == nil && taskID == nil && taskIDs.isEmpty && vehicleID == nil }

    /// Whether the claims name tasks.
    var namesTasks: Bool { taskID != nil || !taskIDs.isEmpty }

    /// Whether a driver with these claims is trusted. Google's tokens name tasks only for a trusted driver, and have no claim `trusted`.
    var isOfTrustedDriver: Bool { namesTasks || isTrusted && vehicleID != nil }

    func covers(tracking: String?) -> Bool { Self.covers(trackingID, tracking) }

    func covers(task: String?) -> Bool { Self.covers(taskID, task) || taskIDs.contains { Self.covers($0, task) } }

    /// Whether the claims are for all tasks.
    var coversAllTasks: Bool { covers(task: nil) }

    func covers(vehicle: String?) -> Bool { Self.covers(vehicleID, vehicle) }

    /// Whether a claim is valid for an id. If the id is nil (it cannot be read, or all ids are meant), only the claim `*` is valid.
    private static func covers(_ claim: String?, _ id: String?) -> Bool { claim == "*" || claim != nil && claim == id }
}
