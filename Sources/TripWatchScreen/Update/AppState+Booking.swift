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
    /// Maximum distance between the crosshair and a found place, in metres, at which a booking uses the place's name. It allows for
    /// rounding.
    private static let sameCrosshairMeters = 1.0

    /// The reason why no booking can start now, as a sentence; nil if a booking can start.
    var bookingReason: String? {
        if awaitsBooking { return "The provider has not answered yet. Ctrl-C quits." }
        if booking != nil { return "You are already booking a ride; press Esc to go back." }
        if case .unavailable(let reason) = options.booking { return reason }
        return nil
    }

    /// Whether the crosshair is shown.
    var isChoosingPlace: Bool {
        switch booking {
        case .choosingPickup, .choosingDropoff: true
        case .confirming, .sending, .uncertain, nil: false
        }
    }

    /// Whether the provider's answer to a booking is pending.
    var awaitsBooking: Bool { if case .sending = booking { true } else { false } }

    /// Whether the screen asks the user to confirm another booking, because a ride may already have been booked.
    var asksToBookAgain: Bool { if case .uncertain(_, reason: _, isAsking: true) = booking { true } else { false } }

    /// Whether a key books again, although a ride may have been booked already. Enter does not, because users press Enter while they
    /// wait.
    private func booksAgain(_ key: Key) -> Bool {
        asksToBookAgain && key.code == .character("y") && !key.modifiers.contains(.control)
    }

    /// - Returns: the effects; nil for a key that has its usual meaning during a booking.
    mutating func pressInBooking(_ key: Key, _ action: AppAction?) -> [AppEffect]? {
        guard let booking else { return nil }
        let goesOn = key.code == .enter || action == .openMarker
        let goesBack = key.code == .escape || action == .back
        if awaitsBooking, goesOn || goesBack || action == .quit {
            // Quitting now would lose the name of a trip that the provider may still create.
            say("The provider has not answered yet. Ctrl-C quits.")
            return []
        }
        if case .uncertain(let ride, _, _) = booking, booksAgain(key) { return send(ride) }
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
            let ride = MapRide(
                pickup: pickup, dropoff: place, pickupName: foundName(at: pickup), dropoffName: foundName(at: place))
            self.booking = unclearBooking.map { MapBooking.uncertain(ride, reason: $0, isAsking: true) } ?? .confirming(ride, problem: nil)
            showRide()
        case .uncertain(let ride, let reason, _): self.booking = .uncertain(ride, reason: reason, isAsking: true)
        case .confirming(let ride, _): return send(ride)
        case .sending: break
        }
        return []
    }

    private mutating func send(_ ride: MapRide) -> [AppEffect] {
        booking = .sending(ride)
        return [.book(ride)]
    }

    private mutating func goBack(from booking: MapBooking) {
        switch booking {
        case .choosingPickup: self.booking = nil
        case .choosingDropoff(let pickup):
            map.pickupLocation = nil
            map.center(on: pickup)
            self.booking = .choosingPickup
        case .uncertain(let ride, reason: let reason, isAsking: true):
            self.booking = .uncertain(ride, reason: reason, isAsking: false)
        case .confirming(let ride, _), .uncertain(let ride, _, _):
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

    /// Returns the name of the place at the crosshair, if the place was found by its name; nil otherwise.
    func foundName(at place: Coordinate) -> String? {
        foundPlaces.last { $0.coordinate.distanceMeters(to: place) < Self.sameCrosshairMeters }?.name
    }

    /// Applies the provider's answer. A failed booking can be retried.
    mutating func applyBookingResult(_ result: BookingResult) -> [AppEffect] {
        guard case .sending(let ride) = booking else { return [] }
        notice = nil
        switch result {
        case .booked(let name):
            (booking, unclearBooking) = (nil, nil)
            return [.followBooked(name)]
        case .failed(let reason) where unclearBooking != nil:
            booking = .uncertain(ride, reason: "the last request failed: \(reason)", isAsking: false)
        case .failed(let reason): booking = .confirming(ride, problem: "Not booked: \(reason)")
        case .unknown(let reason):
            unclearBooking = reason
            booking = .uncertain(ride, reason: reason, isAsking: false)
        }
        return []
    }
}
