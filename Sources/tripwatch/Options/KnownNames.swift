import FleetEngine
import ProgramSurroundings
import TripWatchRuntime
import TripWatchWords

/// A text that a user typed, and the trip or shipment that it names.
struct KnownName {
    let text: String
    /// The full name; the text itself for an unknown trip or shipment.
    let name: String
    /// Whether the user has typed only the ending of the name.
    let isEnding: Bool
    /// The server on which the trip or shipment was last found; nil if the trip or shipment is unknown.
    let server: KnownTrip.Server?

    init(_ text: String, _ trip: KnownTrip?) {
        self.init(text, name: trip?.name.description, id: trip?.name.trip, trip?.server)
    }

    init(_ text: String, _ shipment: KnownShipment?) {
        self.init(text, name: shipment?.name.description, id: shipment?.name.trackingID, shipment?.server)
    }

    /// Says on stderr which name an ending stands for.
    func note(in surroundings: Surroundings) {
        guard isEnding else { return }
        surroundings.streams.note("tripwatch: '\(printable(text))' stands for \(printable(name)).")
    }

    private init(_ text: String, name: String?, id: String?, _ server: KnownTrip.Server?) {
        self.text = text
        self.name = name ?? text
        isEnding = name != nil && text != id && text != name
        self.server = server
    }
}

/// Finds known trips and shipments by a text that the user has typed.
struct KnownNames {
    private let trips: KnownTrips
    private let byName: [String: KnownTrip]
    /// The provider to which bare ids belong; nil if no provider was named.
    private let provider: String?

    /// Reads the known trips; nil if no list of them is kept.
    init?(provider: String?, in surroundings: Surroundings) {
        guard let file = surroundings.stateFile else { return nil }
        trips = file.trips(now: surroundings.clock(1).now(), isLookOnly: true)
        self.provider = provider
        byName = Dictionary(trips.trips.map { ($0.name.description, $0) }) { first, _ in first }
    }

    /// Finds a trip by its full name. If a provider is set, any other text without a slash must be the bare id of a trip of this provider.
    /// Otherwise the text can also be a bare id or a unique ending.
    /// - Returns: nil if no known trip matches the text, or if several do.
    func trip(meantBy text: String) -> KnownTrip? {
        guard !byName.isEmpty else { return nil }
        if let trip = byName[text] { return trip }
        if let provider, !text.contains("/") { return byName["providers/\(provider)/trips/\(text)"] }
        let found = trips.trips(meantBy: text)
        return found.count == 1 ? found.first : nil
    }

    /// Finds a shipment by its full name, by a tracking id if a provider is set, or else by a unique ending.
    /// - Returns: nil if no known shipment matches the text, or if several do.
    func shipment(meantBy text: String) -> KnownShipment? {
        if let provider, !text.contains("/") {
            return (try? TaskTrackingName(provider: provider, trackingID: text)).flatMap { trips[$0] }
        }
        let found = trips.shipments(meantBy: text)
        return found.count == 1 ? found.first : nil
    }
}
