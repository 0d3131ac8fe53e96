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
        bookingSentences(max(1, columns)).flatMap { wrapped(sanitised($0, maximumLength: 400), columns: max(1, columns), maximumLines: 4) }
    }

    private func bookingSentences(_ columns: Int) -> [String] {
        switch booking {
        case nil: []
        case .choosingPickup: ["Choose the pickup: move the map under the crosshair, then press Enter."]
        case .choosingDropoff(let pickup):
            ["Choose the drop-off: move the map under the crosshair, then press Enter.", placeLine("Pickup", pickup, columns)]
        case .confirming(let ride, let problem):
            [problem, Self.fitting(Self.questions, columns: columns)].compactMap { $0 } + rideLines(ride, columns)
        case .sending(let ride): ["Asking the provider for a ride …"] + rideLines(ride, columns)
        }
    }

    /// The question before a booking, the longest form first.
    private static let questions = ["Book this ride? Enter books it, Esc goes back.", "Book? Enter books, Esc back", "Book? Enter / Esc"]

    private func rideLines(_ ride: MapRide, _ columns: Int) -> [String] {
        [placeLine("Pickup", ride.pickup, columns), placeLine("Drop-off", ride.dropoff, columns)]
    }

    /// Returns one line about a chosen place. The coordinates are left out if they do not fit beside the street. A place without a
    /// street keeps its coordinates, and the line may be too long.
    private func placeLine(_ stop: String, _ place: Coordinate, _ columns: Int) -> String {
        let (whole, name) = ("\(stop): \(placeWords(place))", street(place))
        return name.isEmpty ? whole : fitted(Self.fitting([whole, "\(stop): \(name)"], columns: columns), columns: columns)
    }

    private func street(_ place: Coordinate) -> String { sanitised(streets[place] ?? "", maximumLength: 60) }

    /// Returns the text for a chosen place: the street if the base map has a name for it, and the coordinates.
    private func placeWords(_ place: Coordinate) -> String {
        let numbers = "\(place.latitude.fixed(decimals: 5)), \(place.longitude.fixed(decimals: 5))"
        let street = street(place)
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
