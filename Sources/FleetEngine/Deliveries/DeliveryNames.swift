/// The name of a task: `providers/{provider}/tasks/{task}`.
public struct TaskName: Hashable, Sendable, CustomStringConvertible {
    /// The provider's id: its Cloud project id.
    public let provider: String
    /// The bare task id.
    public let task: String

    /// Creates the name of task `task` of `provider`.
    /// - Throws: `ResourceNameError` if one of the two ids breaks the rule of `ResourceID`.
    public init(provider: String, task: String) throws(ResourceNameError) {
        try ResourceID.check(provider, kind: "provider id")
        try ResourceID.check(task, kind: "task id")
        self.provider = provider
        self.task = task
    }

    /// Parses a full name.
    /// - Throws: `ResourceNameError` if `text` has another form or one of its ids breaks the rule of `ResourceID`.
    public init(_ text: String) throws(ResourceNameError) {
        let parts = try ResourceID.parse(
            text, collection: "tasks", kind: "task", accepted: "providers/{provider}/tasks/{task}")
        try self.init(provider: parts.provider, task: parts.id)
    }

    public var description: String { "providers/\(provider)/tasks/\(task)" }
}

/// The name of a delivery vehicle: `providers/{provider}/deliveryVehicles/{vehicle}`.
public struct DeliveryVehicleName: Hashable, Sendable, CustomStringConvertible {
    /// The provider's id: its Cloud project id.
    public let provider: String
    /// The bare delivery vehicle id.
    public let vehicle: String

    /// Creates the name of delivery vehicle `vehicle` of `provider`.
    /// - Throws: `ResourceNameError` if one of the two ids breaks the rule of `ResourceID`.
    public init(provider: String, vehicle: String) throws(ResourceNameError) {
        try ResourceID.check(provider, kind: "provider id")
        try ResourceID.check(vehicle, kind: "delivery vehicle id")
        self.provider = provider
        self.vehicle = vehicle
    }

    /// Parses a full name.
    /// - Throws: `ResourceNameError` if `text` has another form or one of its ids breaks the rule of `ResourceID`.
    public init(_ text: String) throws(ResourceNameError) {
        let parts = try ResourceID.parse(
            text, collection: "deliveryVehicles", kind: "delivery vehicle", accepted: "providers/{provider}/deliveryVehicles/{vehicle}")
        try self.init(provider: parts.provider, vehicle: parts.id)
    }

    public var description: String { "providers/\(provider)/deliveryVehicles/\(vehicle)" }
}

/// The name of a shipment's tracking information: `providers/{provider}/taskTrackingInfo/{tracking}`.
///
/// The last part is a tracking id, not a task id; several tasks may share a tracking id.
public struct TaskTrackingName: Hashable, Sendable, CustomStringConvertible {
    /// The provider's id: its Cloud project id.
    public let provider: String
    /// The bare tracking id.
    public let trackingID: String

    /// Creates the name of tracking id `trackingID` of `provider`.
    /// - Throws: `ResourceNameError` if one of the two ids breaks the rule of `ResourceID`.
    public init(provider: String, trackingID: String) throws(ResourceNameError) {
        try ResourceID.check(provider, kind: "provider id")
        try ResourceID.check(trackingID, kind: "tracking id")
        self.provider = provider
        self.trackingID = trackingID
    }

    /// Parses a full name.
    /// - Throws: `ResourceNameError` if `text` has another form or one of its ids breaks the rule of `ResourceID`.
    public init(_ text: String) throws(ResourceNameError) {
        let parts = try ResourceID.parse(
            text, collection: "taskTrackingInfo", kind: "tracking", accepted: "providers/{provider}/taskTrackingInfo/{tracking}")
        try self.init(provider: parts.provider, trackingID: parts.id)
    }

    public var description: String { "providers/\(provider)/taskTrackingInfo/\(trackingID)" }
}

extension VehicleName {
    /// Makes a vehicle name of the trips API from the ids of a delivery vehicle. Both kinds of ids follow the same rule.
    package init(sameIDsAs name: DeliveryVehicleName) {
        provider = name.provider
        vehicle = name.vehicle
    }
}
