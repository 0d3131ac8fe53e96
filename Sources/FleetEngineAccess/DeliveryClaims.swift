/// The part of a token for deliveries. Ids are bare, `*` for any; nil for none.
public struct DeliveryClaims: Hashable, Sendable {
    /// The tracking id of a shipment.
    public var trackingID: String?
    /// A task.
    public var taskID: String?
    /// The tasks of a batch; empty for none.
    public var taskIDs: [String]
    /// A delivery vehicle.
    public var vehicleID: String?
    /// Whether a driver may also change the list of stops, and the tasks on the vehicle.
    public var isTrusted: Bool

    /// Claims for nothing, unless they are given.
    public init(
        trackingID: String? = nil, taskID: String? = nil, taskIDs: [String] = [], vehicleID: String? = nil, isTrusted: Bool = false
    ) {
        self.trackingID = trackingID
        self.taskID = taskID
        self.taskIDs = taskIDs
        self.vehicleID = vehicleID
        self.isTrusted = isTrusted
    }

    /// Claims for every shipment, task and delivery vehicle, as a back end has them.
    public static let everything = DeliveryClaims(trackingID: "*", taskID: "*", taskIDs: ["*"], vehicleID: "*")

    /// Whether they name nothing.
    public var isEmpty: Bool { trackingID == nil && taskID == nil && taskIDs.isEmpty && vehicleID == nil }

    func covers(tracking: String?) -> Bool { Self.covers(trackingID, tracking) }

    func covers(task: String?) -> Bool { Self.covers(taskID, task) || taskIDs.contains { Self.covers($0, task) } }

    /// Whether they are for all tasks.
    var coversAllTasks: Bool { covers(task: nil) }

    func covers(vehicle: String?) -> Bool { Self.covers(vehicleID, vehicle) }

    /// A thing whose name cannot be read is covered by `*` alone.
    private static func covers(_ claim: String?, _ id: String?) -> Bool { claim == "*" || claim != nil && claim == id }
}
