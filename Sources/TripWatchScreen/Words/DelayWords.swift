import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TripWatchWords

/// Texts for the reasons for a delay.
extension AppState {
    /// Returns the phase of a car that serves another trip first; nil if this trip's stop is next, and for an order.
    func othersPhase(_ page: TripPage) -> String? {
        guard page.kind == .ride, let trip = page.trip, servesOthers(trip), let next = trip.remainingWaypoints.first else { return nil }
        return next.type == .pickup ? "Picking up someone else" : "Finishing another trip"
    }

    /// Returns `2 stops before yours` or `1 delivery before yours`; nil if this trip's stop is the car's next.
    func stopsBeforeWords(_ page: TripPage) -> String? {
        guard let trip = page.trip, trip.vehicleID != nil else { return nil }
        switch page.kind {
        case .ride: return servesOthers(trip) ? TripWords.stopsBefore(trip.stopsBefore) : nil
        case .order: return page.journey.estimate.flatMap { $0.stopsBefore > 0 ? page.kind.stopsBefore($0.stopsBefore) : nil }
        }
    }

    private func servesOthers(_ trip: Trip) -> Bool {
        trip.stopsBefore > 0 && trip.vehicleID != nil && !trip.status.isAtStop && !trip.status.isFinal
    }

    /// Returns `heavy traffic ahead, 800 m`, with the length of the stretch that has such traffic; without *ahead* if there is little
    /// room. Nil if no traffic causes a delay.
    func trafficWords(_ page: TripPage, columns: Int = .max) -> String? {
        guard let traffic = page.journey.trafficAhead else { return nil }
        let kind = traffic.speed == .trafficJam ? "heavy traffic" : "slow traffic"
        let length = distance(traffic.lengthMeters)
        let whole = "\(kind) ahead, \(length)"
        return displayWidth(whole) <= columns ? whole : "\(kind), \(length)"
    }

    /// Returns the delay compared with the first promise; nil without a promise, and at a stop.
    func delayWords(_ page: TripPage) -> String? {
        let forecast = page.journey.forecast
        guard !page.isAtStop, !page.status.isFinal, let first = forecast.promises.first?.arrival, let shown = forecast.shown else {
            return nil
        }
        let minutes = ClockMinutes.count(from: first, to: shown)
        if minutes == 0 { return "on time" }
        return "\(abs(minutes)) min \(minutes > 0 ? "late" : "early"), first ETA \(clock(first))"
    }

    /// Returns one line for each reason for a delay, the most important first; empty without a delay.
    func reasons(_ page: TripPage, columns: Int) -> [String] {
        [stopsBeforeWords(page), trafficWords(page, columns: columns)].compactMap { $0 }
    }

    /// Returns the car's phase in one line. The traffic is added, unless the phase already explains a delay.
    func phaseLine(_ page: TripPage, dot: String, columns: Int) -> String {
        let phase = phaseWords(page)
        guard page.failure == nil, othersPhase(page) == nil, let traffic = trafficWords(page, columns: columns) else {
            return phase
        }
        let both = phase + dot + traffic
        return displayWidth(both) <= columns ? both : traffic
    }
}
