public import FleetEngine
public import FleetEngineAPI

/// One change of an engine's data.
///
/// An engine writes its data only through `FleetEngineState.apply`, and every writing call returns its
/// changes. To rebuild an engine, apply all its changes to an empty engine, in the same order. A store, a log or a copy needs
/// no other data.
public enum Change: Equatable, Sendable {
    /// A new trip, or the new version of a trip.
    case tripPut(TripRecord)
    /// A trip was deleted, or its lifetime has ended. `bookingTaken` follows if the trip was waiting for a vehicle.
    case tripRemoved(TripName)
    /// A new vehicle, or the new version of a vehicle.
    case vehiclePut(VehicleRecord)
    /// The vehicle was deleted.
    case vehicleRemoved(VehicleName)
    /// A trip begins to wait for a vehicle of its provider.
    case bookingQueued(Booking)
    /// A trip no longer waits, because it has a vehicle or needs no vehicle.
    case bookingTaken(TripName)
    /// A task or a delivery vehicle has changed.
    case delivery(DeliveryChange)

    /// The vehicle that was changed or removed; nil for changes of other objects.
    package var vehicleName: VehicleName? {
        switch self {
        case .vehiclePut(let record): record.name
        case .vehicleRemoved(let name): name
        case .tripPut, .tripRemoved, .bookingQueued, .bookingTaken, .delivery: nil
        }
    }

    /// The id of the provider of the changed object.
    package var provider: String {
        switch self {
        case .tripPut(let record): record.name.provider
        case .vehiclePut(let record): record.name.provider
        case .bookingQueued(let booking): booking.trip.provider
        case .tripRemoved(let name), .bookingTaken(let name): name.provider
        case .vehicleRemoved(let name): name.provider
        case .delivery(let change): change.provider
        }
    }
}

/// A trip that is waiting for a vehicle.
public struct Booking: Hashable, Sendable {
    /// The waiting trip.
    public let trip: TripName
    /// The type of the trip, which says whether it may share a vehicle.
    public let type: WireTripType
    /// The serial of the trip. Bookings are served in the order of their serials.
    package let serial: UInt64
}
