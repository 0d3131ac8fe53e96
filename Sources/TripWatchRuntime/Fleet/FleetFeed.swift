import FleetEngine
import TripWatchScreen

/// Vehicles of no trip for a screen: a fleet's on a map of it, or those near a rider who waits for a car.
@MainActor
struct FleetFeed {
    let watch: FleetWatch
    /// Nil for what is near the rider in front.
    let settings: FleetSettings?

    init(client: any FleetClient, settings: FleetSettings) {
        (watch, self.settings) = (FleetWatch(client: client, interval: settings.pace.seconds), settings)
    }

    /// - Parameter interval: between two questions, seconds.
    init(near client: any FleetClient, interval: Double) {
        (watch, settings) = (FleetWatch(client: client, interval: interval), nil)
    }

    /// Goes on until its task is cancelled.
    /// - Parameters:
    ///   - state: what the screen shows now.
    ///   - isAtPlace: whether the user has said where to look: then only what is seen is asked for.
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
