import FleetEngine
import FoundationEssentials
import JourneySharing
import TripWatchSettings
import TripWatchWords

/// Alerts about shipments.
extension AppState {
    /// Returns the effects that alert the user to moments of a shipment, such as a delay.
    /// - Parameter isNewlyOnItsWay: whether the server has just begun to share details of the vehicle.
    func alerts(_ moments: [ShipmentMoment], of index: Int, isNewlyOnItsWay: Bool = false) -> [AppEffect] {
        let start = isNewlyOnItsWay && options.alerts.words.contains(.assigned) ? ["On its way"] : []
        let tracker = shipments[index].tracker
        return (start + moments.compactMap { alertWords($0, tracker) }).flatMap { alert(shipments[index].title, $0) }
    }

    private func alertWords(_ moment: ShipmentMoment, _ tracker: ShipmentTracker) -> String? {
        switch moment.event {
        case .timeLeft: moment.arrival.map { TripWords.away(ETAText(arrival: $0, now: tracker.serverNow(moment.time))) }
        case .stopsLeft: moment.stopsBefore.map(ShipmentState.stops)
        case .etaChanged: moment.arrival.map { "Later than announced: now \(clock($0))" }
        case .outcome: moment.outcome == .succeeded ? "Done" : "Not completed: the attempt failed"
        case .state, .replaced, .end: nil
        }
    }
}
