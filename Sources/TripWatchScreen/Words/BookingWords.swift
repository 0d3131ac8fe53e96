import ConsumerMap
import FleetEngine
import Geo
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// Texts for a booking on the map.
extension AppState {
    /// Returns the lines above the map while a ride is booked, the most important first; empty otherwise.
    func bookingLines(columns: Int) -> [String] {
        bookingSentences.flatMap { wrapped(sanitised($0, maximumLength: 400), columns: max(1, columns), maximumLines: 4) }
    }

    private var bookingSentences: [String] {
        switch booking {
        case nil: []
        case .choosingPickup: ["Choose the pickup: move the map under the crosshair, then press Enter."]
        case .choosingDropoff(let pickup):
            ["Choose the drop-off: move the map under the crosshair, then press Enter.", "Pickup: \(placeWords(pickup))"]
        case .confirming(let ride, let problem):
            [problem, "Book this ride? Enter books it, Esc goes back."].compactMap { $0 } + rideWords(ride)
        case .sending(let ride): ["Asking the provider for a ride …"] + rideWords(ride)
        }
    }

    private func rideWords(_ ride: MapRide) -> [String] {
        ["Pickup: \(placeWords(ride.pickup))", "Drop-off: \(placeWords(ride.dropoff))"]
    }

    /// Returns the text for a chosen place: the street if the base map has a name for it, and the coordinates.
    private func placeWords(_ place: Coordinate) -> String {
        let numbers = "\(place.latitude.fixed(decimals: 5)), \(place.longitude.fixed(decimals: 5))"
        let street = sanitised(streets[place] ?? "", maximumLength: 60)
        return street.isEmpty ? numbers : "\(street) (\(numbers))"
    }

    /// Describes a marker of the booked ride in one line; nil for other markers.
    func bookingMarkerWords(_ marker: ConsumerMarker) -> String? {
        guard booking != nil else { return nil }
        return switch marker.type {
        case .tripPickupPoint: map.pickupLocation.map { "Pickup ∙ \(placeWords($0))" }
        case .tripDropoffPoint: map.dropoffLocation.map { "Drop-off ∙ \(placeWords($0))" }
        case .vehicle, .intermediateDestination, .unknown: nil
        }
    }
}
