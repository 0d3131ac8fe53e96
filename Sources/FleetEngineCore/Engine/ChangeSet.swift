package import FleetEngine

/// All changes of an engine within some time, with the states before and after of each trip, vehicle and booking. Each thing is in here
/// once, however often it has changed.
package struct ChangeSet: Sendable {
    package struct Pair<Record: Sendable>: Sendable {
        /// Nil for a new thing.
        package let before: Record?
        /// Nil for a removed thing.
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

    /// Whether it concerns a trip: the trip itself, or the vehicle that serves it.
    package func concerns(_ trip: TripName, in engine: FleetEngineState) -> Bool {
        if trips[trip] != nil { return true }
        guard !vehicles.isEmpty, let vehicle = engine.trips[trip]?.servingVehicle else { return false }
        return vehicles[vehicle] != nil
    }

    /// The changes that restore the state before. Serials and stamps are not given out twice.
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
