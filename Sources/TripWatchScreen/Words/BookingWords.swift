import ConsumerMap
import FleetEngine
import Geo
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// Texts for a booking on the map.
extension AppState {
    /// Returns the lines that are shown above the map while the user books a ride, the most important first; empty at other times.
    func bookingLines(columns: Int) -> [String] {
        let columns = max(1, columns)
        func lines(_ sentences: [String]) -> [String] {
            sentences.flatMap { wrapped(sanitised($0, maximumLength: 400), columns: columns, maximumLines: 4) }
        }
        let forms = bookingSentences(columns).map(lines)
        let rows = ScreenLayout.mostBookingRows(size.rows)
        var shown = forms.first { $0.count <= rows } ?? forms.last ?? []
        // A place is shown whole or not at all, because a coordinate that is cut would look like another place.
        for place in bookedPlaces(columns).map({ lines([$0]) }) {
            guard shown.count + place.count <= rows else { break }
            shown += place
        }
        return shown
    }

    /// Returns the sentences in several forms, the longest first.
    private func bookingSentences(_ columns: Int) -> [[String]] {
        switch booking {
        case nil: return []
        case .choosingPickup:
            return [["Move the map until the crosshair is on the pickup, then press Enter."], ["Pickup: move the map, then Enter."]]
        case .choosingDropoff:
            return [["Move the map until the crosshair is on the drop-off, then press Enter."], ["Drop-off: move the map, then Enter."]]
        case .confirming(_, let problem):
            let question = Self.fitting(Self.questions, columns: columns)
            guard let problem else { return [[question]] }
            let rows = ScreenLayout.mostBookingRows(size.rows) - 1
            let cut = wrapped(sanitised(problem, maximumLength: 400), columns: columns, maximumLines: rows)
            var forms = [[problem, question]]
            if rows > 1 { forms.append(cut + [question]) }
            return forms + [["Not booked.", question]]
        case .sending: return [["Asking the provider for a ride …"], ["Asking provider …"]]
        case .uncertain(_, reason: let reason, isAsking: false):
            let sentence = "A ride may have been booked: ask the provider before you book again."
            let cause: String = reason.prefix(1).uppercased() + reason.dropFirst()
            return [[sentence, cause], [sentence], ["Maybe booked: ask the provider."]]
        case .uncertain: return [["Maybe booked already. y books again, Esc goes back"], ["Maybe booked. Book again? y/Esc"]]
        }
    }

    /// The sentences about a ride that may have been booked, to print after the screen has closed; nil without such a ride.
    package var unclearBookingWords: String? {
        let reason: String? =
            awaitsBooking ? "the provider has not answered." : unclearBooking.map { sanitised($0, maximumLength: 400) }
        return reason.map { "A ride may have been booked: \($0) Ask the provider whether the ride was booked." }
    }

    /// The question before a booking, the longest form first.
    private static let questions = ["Book this ride? Enter books it, Esc goes back.", "Book? Enter: yes, Esc: back", "Book? Enter / Esc"]

    private func bookedPlaces(_ columns: Int) -> [String] {
        switch booking {
        case nil, .choosingPickup: []
        case .choosingDropoff(let pickup): [placeLine("Pickup", pickup, columns)]
        case .confirming(let ride, _), .sending(let ride), .uncertain(let ride, _, _): rideLines(ride, columns)
        }
    }

    private func rideLines(_ ride: MapRide, _ columns: Int) -> [String] {
        [placeLine("Pickup", ride.pickup, columns), placeLine("Drop-off", ride.dropoff, columns)]
    }

    /// Returns one line about a chosen place. The coordinates are left out if they do not fit beside the name. A place without a
    /// name keeps its coordinates, and the line may be too long.
    private func placeLine(_ stop: String, _ place: Coordinate, _ columns: Int) -> String {
        let (whole, name) = ("\(stop): \(placeWords(place))", placeName(place))
        return name.isEmpty ? whole : fitted(Self.fitting([whole, "\(stop): \(name)"], columns: columns), columns: columns)
    }

    /// Returns the name by which a place was found, or else its street; empty if neither is known.
    private func placeName(_ place: Coordinate) -> String { sanitised(foundName(at: place) ?? streets[place] ?? "", maximumLength: 60) }

    /// Returns the text for a chosen place: its name or street, if known, and the coordinates.
    private func placeWords(_ place: Coordinate) -> String {
        let numbers = "\(place.latitude.fixed(decimals: 5)), \(place.longitude.fixed(decimals: 5))"
        let name = placeName(place)
        return name.isEmpty ? numbers : "\(name) (\(numbers))"
    }

    /// Describes a marker of the ride that the user is booking, in one line; nil for other markers.
    func bookingMarkerWords(_ marker: ConsumerMarker) -> String? {
        guard booking != nil else { return nil }
        return switch marker.type {
        case .tripPickupPoint: map.pickupLocation.map { "Pickup ∙ \(placeWords($0))" }
        case .tripDropoffPoint: map.dropoffLocation.map { "Drop-off ∙ \(placeWords($0))" }
        case .vehicle, .intermediateDestination, .unknown: nil
        }
    }
}
