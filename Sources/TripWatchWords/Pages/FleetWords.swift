package import FleetEngine
package import FoundationEssentials
import TerminalCanvas

/// The texts about vehicles without a trip.
package enum FleetWords {
    /// Returns the number of vehicles in words, and how many of them are online. If the last request failed, the time of the last answer
    /// and a word for the failure replace the second number. Before the first answer, there is no number.
    package static func title(_ fleet: FleetPage, clock: (Date) -> String) -> String {
        guard let answeredAt = fleet.answeredAt else { return fleet.failure.map(standing) ?? "asking the server …" }
        let some = "\(fleet.isComplete ? "" : "the first ")\(fleet.count) vehicle\(fleet.count == 1 ? "" : "s")"
        if let failure = fleet.failure { return "\(fleet.count == 0 ? "no vehicles" : some) at \(clock(answeredAt)); \(standing(failure))" }
        return fleet.count == 0 ? "no vehicles" : "\(some), \(fleet.onlineCount) online"
    }

    private static func standing(_ failure: FleetEngineError) -> String {
        guard failure.errorClass() == .retryable else { return "updates stopped" }
        return FailureWords.isAnswer(failure) ? "server error" : "no connection"
    }

    /// Returns a sentence that says why the answer is missing, and what to do.
    package static func sentence(_ error: FleetEngineError) -> String {
        let meaning: String? =
            switch (error.origin, error.code) {
            case (.server, .permissionDenied): "You are not allowed to see these vehicles"
            case (.server, .invalidArgument): "The server does not accept this request for vehicles; check --fleet and --vehicle"
            case (.server, .notFound): "There is no such vehicle"
            default: nil
            }
        guard let meaning else { return FailureWords(error, error.errorClass()).sentence }
        let detail = sanitised(error.message, maximumLength: 200)
        return "\(meaning) (\(error.code.name)\(detail.isEmpty ? "" : ": \(detail)"))."
    }

    /// Describes a vehicle in one line.
    package static func line(_ vehicle: Vehicle, now: Date) -> String {
        let card = VehicleCard(id: vehicle.name.vehicle, vehicle: vehicle)
        let state: String? =
            switch vehicle.state {
            case .online: "online"
            case .offline: "offline"
            case .unknown: nil
            }
        let trips = vehicle.currentTrips.count
        let age = FleetPage.ageSeconds(vehicle, now).map { "\(TripWords.age($0)) ago" }
        let parts = [card.id, card.plate, card.looks, state, trips == 0 ? "free" : "\(trips) trip\(trips == 1 ? "" : "s")", age]
        return parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ∙ ")
    }
}
