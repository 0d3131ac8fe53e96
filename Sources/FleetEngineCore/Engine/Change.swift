public import FleetEngine
public import FleetEngineAPI

/// One change of what an engine knows.
///
/// An engine writes trips, vehicles and waiting bookings through `FleetEngineState.apply` alone, and every call that writes says what it wrote. So the
/// changes of a run, applied to an empty engine in their order, give the same engine again: a store, a log or a second copy needs nothing else.
public enum Change: Equatable, Sendable {
    /// The trip from now on: a new one, or what replaces the one of the same name.
    case tripPut(TripRecord)
    /// The trip is gone: it was deleted, or its lifetime is over. If it waited for a vehicle, `bookingTaken` follows.
    case tripRemoved(TripName)
    /// The vehicle from now on: a new one, or what replaces the one of the same name.
    case vehiclePut(VehicleRecord)
    /// The vehicle was deleted.
    case vehicleRemoved(VehicleName)
    /// A trip waits from now on for a vehicle of its provider.
    case bookingQueued(Booking)
    /// The trip waits no longer: it has got a vehicle, or needs none any more.
    case bookingTaken(TripName)

    /// The vehicle that is another one now, or gone.
    package var vehicleName: VehicleName? {
        switch self {
        case .vehiclePut(let record): record.name
        case .vehicleRemoved(let name): name
        case .tripPut, .tripRemoved, .bookingQueued, .bookingTaken: nil
        }
    }

    /// Whose trip or vehicle it is, bare.
    package var provider: String {
        switch self {
        case .tripPut(let record): record.name.provider
        case .vehiclePut(let record): record.name.provider
        case .bookingQueued(let booking): booking.trip.provider
        case .tripRemoved(let name), .bookingTaken(let name): name.provider
        case .vehicleRemoved(let name): name.provider
        }
    }
}

/// A trip that waits for a vehicle.
public struct Booking: Hashable, Sendable {
    /// The trip that waits.
    public let trip: TripName
    /// Whether the trip may share a vehicle.
    public let type: WireTripType
    /// The trip's: bookings are served in its order.
    package let serial: UInt64
}
