import ConsumerMap
import FleetEngine
import Geo
import TerminalCanvas
import TerminalMap
import TripWatchSettings
import TripWatchWords

/// Booking of a ride on the map. The crosshair in the middle of the map selects the pickup first, then the drop-off.
extension AppState {
    /// Minimum distance between pickup and drop-off, in metres.
    private static let samePlaceMeters = 20.0

    /// The reason why no booking can start now, as a sentence; nil if a booking can start.
    var bookingReason: String? {
        if booking != nil { return "A ride is already being booked; press Esc to go back." }
        if case .unavailable(let reason) = options.booking { return reason }
        return nil
    }

    /// Whether the crosshair is shown.
    var isChoosingPlace: Bool {
        switch booking {
        case .choosingPickup, .choosingDropoff: true
        case .confirming, .sending, nil: false
        }
    }

    /// Whether the provider's answer to a booking is pending.
    package var awaitsBooking: Bool { if case .sending = booking { true } else { false } }

    /// - Returns: the effects; nil for a key that has its usual meaning during a booking.
    mutating func pressInBooking(_ key: Key, _ action: AppAction?) -> [AppEffect]? {
        guard let booking else { return nil }
        let goesOn = key.code == .enter || action == .openMarker
        let goesBack = key.code == .escape || action == .back
        if awaitsBooking, goesOn || goesBack || action == .quit {
            // Quitting now would lose the name of a trip that the provider may still create.
            say("The provider has not answered yet. Press Ctrl-C to quit without its answer.")
            return []
        }
        if goesOn { return goOn(from: booking) }
        guard goesBack else { return nil }
        goBack(from: booking)
        return []
    }

    private mutating func goOn(from booking: MapBooking) -> [AppEffect] {
        let place = map.camera.center
        switch booking {
        case .choosingPickup:
            map.pickupLocation = place
            map.labels.pickup = "pickup"
            self.booking = .choosingDropoff(pickup: place)
        case .choosingDropoff(let pickup):
            guard place.distanceMeters(to: pickup) >= Self.samePlaceMeters else {
                say("This is the pickup: move the map to the drop-off first.")
                return []
            }
            map.dropoffLocation = place
            map.labels.dropoff = "drop-off"
            self.booking = .confirming(MapRide(pickup: pickup, dropoff: place), problem: nil)
            showRide()
        case .confirming(let ride, _):
            self.booking = .sending(ride)
            return [.book(ride)]
        case .sending: break
        }
        return []
    }

    private mutating func goBack(from booking: MapBooking) {
        switch booking {
        case .choosingPickup: self.booking = nil
        case .choosingDropoff(let pickup):
            map.pickupLocation = nil
            map.center(on: pickup)
            self.booking = .choosingPickup
        case .confirming(let ride, _):
            map.dropoffLocation = nil
            map.center(on: ride.dropoff)
            self.booking = .choosingDropoff(pickup: ride.pickup)
        case .sending: break
        }
    }

    /// Moves the map so that it shows pickup and drop-off. Other vehicles may stay outside the view.
    private mutating func showRide() {
        layOut()
        let others = map.otherVehicles
        map.otherVehicles = []
        map.fit([])
        map.otherVehicles = others
    }

    /// Applies the provider's answer. A failed booking can be retried.
    mutating func applyBookingResult(_ result: BookingResult) -> [AppEffect] {
        guard case .sending(let ride) = booking else { return [] }
        notice = nil
        switch result {
        case .booked(let name):
            booking = nil
            return [.followBooked(name)]
        case .failed(let reason): booking = .confirming(ride, problem: "Not booked: \(reason)")
        case .unknown(let reason):
            booking = .confirming(ride, problem: "The ride may have been booked: \(reason) Ask the provider before you book again.")
        }
        return []
    }
}
