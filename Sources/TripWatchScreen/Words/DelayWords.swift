import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
package import TripWatchWords

/// Texts for the reasons for a delay.
extension AppState {
    /// If the car of a ride serves other riders first, returns the car's phase; otherwise nil.
    func othersPhase(_ page: TripPage) -> String? {
        guard page.kind == .ride, let trip = page.trip, servesOthers(trip), let next = trip.remainingWaypoints.first else { return nil }
        return switch next.type {
        case .pickup: "Picking up someone else"
        case .dropoff: "Finishing another trip"
        // A link that an earlier version serves does not say what the car does at that stop.
        case .intermediate, .unknown: "Serving another rider"
        }
    }

    /// Returns `2 stops before yours` or `1 delivery before yours`, and for a viewer of a link `2 stops first`. Nil without a car, and if
    /// the car makes no other stops first.
    func stopsBeforeWords(_ page: TripPage) -> String? {
        guard let trip = page.trip, trip.vehicleID != nil else { return nil }
        switch page.kind {
        case .ride: return servesOthers(trip) ? page.kind.stopsBefore(trip.stopsBefore, isViewer: options.isViewer) : nil
        case .order:
            guard let before = page.journey.estimate?.stopsBefore, before > 0 else { return nil }
            return page.kind.stopsBefore(before, isViewer: options.isViewer)
        }
    }

    private func servesOthers(_ trip: Trip) -> Bool {
        trip.stopsBefore > 0 && trip.vehicleID != nil && !trip.status.isAtStop && !trip.status.isFinal
    }

    /// Returns the worst traffic ahead, such as `800 m of heavy traffic` or `800 m of slow traffic`. If there is little room, the length is
    /// left out. Nil if no traffic causes a delay, the position is old, or the vehicle has left its route.
    func trafficWords(_ page: TripPage, columns: Int = .max) -> String? {
        trafficTexts(page).map { Self.fitting([$0.whole, $0.kind], columns: columns) }
    }

    /// Returns texts for the traffic ahead; nil if no traffic causes a delay.
    private func trafficTexts(_ page: TripPage) -> (whole: String, kind: String)? {
        guard let traffic = page.journey.trafficAhead else { return nil }
        let kind = traffic.speed == .trafficJam ? "heavy traffic" : "slow traffic"
        return ("\(distance(traffic.lengthMeters)) of \(kind)", kind)
    }

    /// Returns the delay compared with the first promised arrival; nil without a promise, at a stop, and without a car. If the shown
    /// arrival time has passed, only a minimum of the delay is known, so the text begins with `at least`. Until the first promised time has
    /// passed as well, the car may still be on time, and the result is nil.
    func delayWords(_ page: TripPage, columns: Int = .max) -> String? {
        let forecast = page.journey.forecast
        guard page.isCounting, let first = forecast.promises.first?.arrival, let shown = forecast.shown else { return nil }
        let isOverdue = ClockMinutes.count(from: shown, to: page.clockTime(now)) > 0
        // The car may have arrived since its last reported position or since the last answer. So while the position is not live, an overdue
        // delay is counted only up to the earlier of the two.
        let fixAt = now - (page.journey.ageSeconds(now: now) ?? 0)
        let known = page.journey.isLive ? now : min(page.journey.lastAnswerAt ?? now, fixAt)
        let minutes = ClockMinutes.count(from: first, to: isOverdue ? page.clockTime(known) : shown)
        if isOverdue, minutes <= 0 { return nil }
        let words = (isOverdue ? "at least " : "") + TripWords.punctuality(minutesLate: minutes)
        return minutes == 0 ? words : Self.fitting(["\(words), first ETA \(clock(first))", words], columns: columns)
    }

    /// Returns one line for each reason for a delay, the most important first; empty without a delay.
    package func reasons(_ page: TripPage, columns: Int = .max) -> [String] {
        [stopsBeforeWords(page), trafficWords(page, columns: columns)].compactMap { $0 }
    }

    /// Returns the car's phase in one line. A reason for a delay follows if there is room and the last request did not fail. For a car that
    /// serves others first, the short form is only the number of stops before this trip's stop.
    func phaseLine(_ page: TripPage, dot: String, columns: Int) -> String {
        let phase = phaseWords(page)
        guard page.failure == nil else { return phase }
        var lines: [String] = []
        if let stops = stopsBeforeWords(page), !phase.hasSuffix(stops) { lines.append(phase + dot + stops) }
        if othersPhase(page) != nil {
            lines.append(stopsBeforeWords(page) ?? phase)
        } else if let traffic = trafficTexts(page) {
            let brief = phase == page.phrases.phase ? page.phrases.inSentence : phase
            let start: String = brief.prefix(1).uppercased() + brief.dropFirst()
            lines += ["\(phase)\(dot)\(traffic.whole)", "\(start)\(dot)\(traffic.whole)"]
            lines += ["\(phase)\(dot)\(traffic.kind)", "\(start)\(dot)\(traffic.kind)"]
        }
        return Self.fitting(lines + [phase], columns: columns)
    }
}
