/// `providers/{provider}/tasks/{task}`.
public struct TaskName: Hashable, Sendable, CustomStringConvertible {
    /// The provider's id: its Cloud project id.
    public let provider: String
    /// The bare task id.
    public let task: String

    /// The name of task `task` of `provider`.
    /// - Throws: `ResourceNameError` where one of the two breaks the rule of `ResourceID`.
    public init(provider: String, task: String) throws(ResourceNameError) {
        try ResourceID.check(provider, kind: "provider id")
        try ResourceID.check(task, kind: "task id")
        self.provider = provider
        self.task = task
    }

    /// Reads the full form.
    /// - Throws: `ResourceNameError` where `text` has another form or one of its ids breaks the rule of `ResourceID`.
    public init(_ text: String) throws(ResourceNameError) {
        let parts = try ResourceID.parse(
            text, collection: "tasks", kind: "task", accepted: "providers/{provider}/tasks/{task}")
        try self.init(provider: parts.provider, task: parts.id)
    }

    public var description: String { "providers/\(provider)/tasks/\(task)" }
}

/// `providers/{provider}/deliveryVehicles/{vehicle}`.
public struct DeliveryVehicleName: Hashable, Sendable, CustomStringConvertible {
    /// The provider's id: its Cloud project id.
    public let provider: String
    /// The bare delivery vehicle id.
    public let vehicle: String

    /// The name of delivery vehicle `vehicle` of `provider`.
    /// - Throws: `ResourceNameError` where one of the two breaks the rule of `ResourceID`.
    public init(provider: String, vehicle: String) throws(ResourceNameError) {
        try ResourceID.check(provider, kind: "provider id")
        try ResourceID.check(vehicle, kind: "delivery vehicle id")
        self.provider = provider
        self.vehicle = vehicle
    }

    /// Reads the full form.
    /// - Throws: `ResourceNameError` where `text` has another form or one of its ids breaks the rule of `ResourceID`.
    public init(_ text: String) throws(ResourceNameError) {
        let parts = try ResourceID.parse(
            text, collection: "deliveryVehicles", kind: "delivery vehicle", accepted: "providers/{provider}/deliveryVehicles/{vehicle}")
        try self.init(provider: parts.provider, vehicle: parts.id)
    }

    public var description: String { "providers/\(provider)/deliveryVehicles/\(vehicle)" }
}

/// `providers/{provider}/taskTrackingInfo/{tracking}`.
///
/// The last part is the tracking id, which several tasks may share, and not a task's id.
public struct TaskTrackingName: Hashable, Sendable, CustomStringConvertible {
    /// The provider's id: its Cloud project id.
    public let provider: String
    /// The bare tracking id.
    public let trackingID: String

    /// The name of tracking id `trackingID` of `provider`.
    /// - Throws: `ResourceNameError` where one of the two breaks the rule of `ResourceID`.
    public init(provider: String, trackingID: String) throws(ResourceNameError) {
        try ResourceID.check(provider, kind: "provider id")
        try ResourceID.check(trackingID, kind: "tracking id")
        self.provider = provider
        self.trackingID = trackingID
    }

    /// Reads the full form.
    /// - Throws: `ResourceNameError` where `text` has another form or one of its ids breaks the rule of `ResourceID`.
    public init(_ text: String) throws(ResourceNameError) {
        let parts = try ResourceID.parse(
            text, collection: "taskTrackingInfo", kind: "tracking", accepted: "providers/{provider}/taskTrackingInfo/{tracking}")
        try self.init(provider: parts.provider, trackingID: parts.id)
    }

    public var description: String { "providers/\(provider)/taskTrackingInfo/\(trackingID)" }
}

extension VehicleName {
    /// The name of a vehicle of the trips' API with the ids of a delivery vehicle. Both kinds of ids have the same rule.
    package init(sameIDsAs name: DeliveryVehicleName) {
        provider = name.provider
        vehicle = name.vehicle
    }
}
