import FleetEngine
import TripWatchScreen
import TripWatchWords

/// Supplies a screen with vehicles that serve no trip on the screen: a fleet on a map, or the vehicles near a rider who waits for a car.
@MainActor
struct FleetFeed {
    let watch: FleetWatch
    /// The vehicles to show; nil to show vehicles near the rider of the shown trip.
    let settings: FleetSettings?

    init(client: any FleetClient, settings: FleetSettings) {
        (watch, self.settings) = (FleetWatch(client: client, interval: settings.pace.seconds), settings)
    }

    /// Creates a feed of vehicles near the rider.
    /// - Parameter interval: the time between two requests, in seconds.
    init(near client: any FleetClient, interval: Double) {
        (watch, settings) = (FleetWatch(client: client, interval: interval), nil)
    }

    /// Sends news about the vehicles to the screen until the task is cancelled.
    /// - Parameters:
    ///   - state: returns the current state of the screen.
    ///   - isAtPlace: whether the user chose a place on the map. If so, or after an incomplete list, only vehicles in the visible area
    ///     are requested.
    func run(_ state: () -> AppState, isAtPlace: Bool, tell: (AppEvent) -> Void) async {
        var asksInView = isAtPlace
        await watch.run {
            if let settings { return settings.question(in: asksInView ? state().window : nil) }
            return state().waitingPlace.map { .near(NearbyQuery(trip: $0.trip, place: $0.place)) }
        } tell: { news, question in
            if case .vehicles(_, isComplete: false) = news { asksInView = true }
            if case .near(let query) = question { tell(.fleet(news, for: query.trip)) } else { tell(.fleet(news, for: nil)) }
        }
    }
}
