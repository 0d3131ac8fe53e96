package import FleetEngine

/// All changes of an engine over a period: the state of each changed object before and after the period.
package struct ChangeSet: Sendable {
    package struct Pair<Record: Sendable>: Sendable {
        /// The state before the period; nil for a new object.
        package let before: Record?
        /// The state after the period; nil for a removed object.
        package var after: Record?
    }

    package private(set) var trips: [TripName: Pair<TripRecord>] = [:]
    package private(set) var vehicles: [VehicleName: Pair<VehicleRecord>] = [:]
    package private(set) var bookings: [TripName: Pair<Booking>] = [:]
    package private(set) var tasks: [TaskName: Pair<TaskRecord>] = [:]
    package private(set) var deliveryVehicles: [DeliveryVehicleName: Pair<DeliveryVehicleRecord>] = [:]

    package var isEmpty: Bool {
        trips.isEmpty && vehicles.isEmpty && bookings.isEmpty && tasks.isEmpty && deliveryVehicles.isEmpty
    }

    mutating func note(_ name: TripName, _ old: TripRecord?, _ new: TripRecord?) {
        trips[name, default: Pair(before: old, after: nil)].after = new
    }

    mutating func note(_ name: VehicleName, _ old: VehicleRecord?, _ new: VehicleRecord?) {
        vehicles[name, default: Pair(before: old, after: nil)].after = new
    }

    mutating func note(_ name: TripName, _ old: Booking?, _ new: Booking?) {
        bookings[name, default: Pair(before: old, after: nil)].after = new
    }

    mutating func note(_ name: TaskName, _ old: TaskRecord?, _ new: TaskRecord?) {
        tasks[name, default: Pair(before: old, after: nil)].after = new
    }

    mutating func note(_ name: DeliveryVehicleName, _ old: DeliveryVehicleRecord?, _ new: DeliveryVehicleRecord?) {
        deliveryVehicles[name, default: Pair(before: old, after: nil)].after = new
    }

    /// Whether a trip, or the vehicle that serves it, has changed.
    package func concerns(_ trip: TripName, in engine: FleetEngineState) -> Bool {
        if trips[trip] != nil { return true }
        guard !vehicles.isEmpty, let vehicle = engine.trips[trip]?.servingVehicle else { return false }
        return vehicles[vehicle] != nil
    }

    /// The changes that restore the states before the period. Serials and stamps from the period are not used again.
    package var undoing: [Change] {
        let trips = trips.map { name, pair in pair.before.map(Change.tripPut) ?? .tripRemoved(name) }
        let vehicles = vehicles.map { name, pair in pair.before.map(Change.vehiclePut) ?? .vehicleRemoved(name) }
        let bookings = bookings.map { name, pair in pair.before.map(Change.bookingQueued) ?? .bookingTaken(name) }
        return trips + vehicles + bookings + undoingDeliveries.map(Change.delivery)
    }

    private var undoingDeliveries: [DeliveryChange] {
        let tasks = tasks.map { name, pair in pair.before.map(DeliveryChange.taskPut) ?? .taskRemoved(name) }
        let vehicles = deliveryVehicles.map { name, pair in pair.before.map(DeliveryChange.vehiclePut) ?? .vehicleRemoved(name) }
        return tasks + vehicles
    }
}
