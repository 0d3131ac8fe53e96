package import FleetEngine

/// What has changed in an engine within some time: of each trip, vehicle and booking that is another one now, how it was before and how it is
/// after. However often a thing changes, it is in here once.
package struct ChangeSet: Sendable {
    package struct Pair<Record: Sendable>: Sendable {
        /// Nil where there was none.
        package let before: Record?
        /// Nil where there is none any more.
        package var after: Record?
    }

    package private(set) var trips: [TripName: Pair<TripRecord>] = [:]
    package private(set) var vehicles: [VehicleName: Pair<VehicleRecord>] = [:]
    package private(set) var bookings: [TripName: Pair<Booking>] = [:]

    package var isEmpty: Bool { trips.isEmpty && vehicles.isEmpty && bookings.isEmpty }

    mutating func note(_ name: TripName, _ old: TripRecord?, _ new: TripRecord?) {
        trips[name, default: Pair(before: old, after: nil)].after = new
    }

    mutating func note(_ name: VehicleName, _ old: VehicleRecord?, _ new: VehicleRecord?) {
        vehicles[name, default: Pair(before: old, after: nil)].after = new
    }

    mutating func note(_ name: TripName, _ old: Booking?, _ new: Booking?) {
        bookings[name, default: Pair(before: old, after: nil)].after = new
    }

    /// Whether it changes what is told of a trip: the trip itself, or the vehicle that serves it.
    package func concerns(_ trip: TripName, in engine: FleetEngineState) -> Bool {
        if trips[trip] != nil { return true }
        guard !vehicles.isEmpty, let vehicle = engine.trips[trip]?.servingVehicle else { return false }
        return vehicles[vehicle] != nil
    }

    /// What makes an engine that it has changed the one from before again; serials and stamps are not given out twice.
    package var undoing: [Change] {
        let trips = trips.map { name, pair in pair.before.map(Change.tripPut) ?? .tripRemoved(name) }
        let vehicles = vehicles.map { name, pair in pair.before.map(Change.vehiclePut) ?? .vehicleRemoved(name) }
        let bookings = bookings.map { name, pair in pair.before.map(Change.bookingQueued) ?? .bookingTaken(name) }
        return trips + vehicles + bookings
    }
}
