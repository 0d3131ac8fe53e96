import ConsumerMap
import Driver
import FleetEngine
import FoundationEssentials
import JourneySharing
import Navigation
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

// MARK: - Events

extension AppState {
    /// The distance from the stop, in metres, beyond which reporting an arrival takes a second key press.
    private static let surelyAwayMeters = 150.0

    mutating func applyShift(_ shift: DriverShiftState, at time: Date) -> [AppEffect] {
        now = max(now, time)
        guard let before = drive, let offers = drive?.show(shift, at: now) else { return [] }
        let kind = TripKind(attributes: shift.trip?.attributes ?? [:], fallback: options.tripKind)
        freeMap.labels.pickup = kind == .order ? "shop" : "pickup"
        // After a change of the shift, the event line shows the newest event instead of a notice such as `Accepting the trip …`.
        if notice?.isWaiting == true, drive?.hasMoved(since: before) == true { notice = nil }
        guard !offers.isEmpty else { return [] }
        revision &+= 1
        for offer in offers {
            if drive?.declined == offer.name { drive?.declined = nil }
            let away = drive?.metersToPickup(of: offer).map { ", pickup \(distance($0)) away" } ?? ""
            drive?.log.add(note: "A trip is offered\(away)", at: time)
        }
        return alert("Car \(drive?.options.vehicle.vehicle ?? "")", "A trip is offered")
    }

    mutating func applyDriverEvent(_ event: TripDriverEvent, at time: Date) -> [AppEffect] {
        now = max(now, time)
        // The driver declined the trip, so its withdrawal is not news.
        if case .withdrawn(let name) = event, drive?.declining == name || drive?.declined == name { return [] }
        if case .retrying = event, notice?.isWaiting == true { notice = nil }
        if let words = event.words(kind: kind(of: event), distance: distance) {
            revision &+= 1
            drive?.log.add(note: words, at: time, isFailedAttempt: event.isFailedAttempt)
        }
        if let words = Self.lossWords(event) {
            // The words are also shown as a notice, which stays for a while. Otherwise, the text of the next event, `Waiting for a trip`,
            // would replace them at once.
            say(words)
            return alert("Car \(drive?.options.vehicle.vehicle ?? "")", words)
        }
        guard case .navigation(.didChangeSuggestedLightingMode(let mode)) = event else { return [] }
        return [.suggestTheme(mode == .lowLight ? .dark : .light)]
    }

    /// Returns the kind of the trip that an event is about. For a status, this trip is the one that the event names. For other events, it
    /// is the trip under way, or else the offered trip.
    private func kind(of event: TripDriverEvent) -> TripKind {
        let known = drive.map { $0.underWay + $0.shift.offers } ?? []
        let trip = if case .status(let name, _) = event { known.first { $0.name == name } } else { known.first }
        return TripKind(attributes: trip?.attributes ?? [:], fallback: options.tripKind)
    }

    /// Returns a text if a trip was taken from the driver, has changed on the server, or has ended without being completed; nil for all
    /// other events.
    private static func lossWords(_ event: TripDriverEvent) -> String? {
        switch event {
        case .withdrawn: TripDriverEvent.withdrawn
        case .notSent: TripDriverEvent.notSent
        case .ended(let driven) where driven.outcome != .completed: TripDriverEvent.words(driven.outcome)
        default: nil
        }
    }

    /// Applies the provider's answer to a declined trip.
    mutating func applyDeclineResult(_ result: CancelResult, for name: TripName) -> [AppEffect] {
        if drive?.declining == name { drive?.declining = nil }
        switch result {
        case .canceled:
            drive?.declined = name
            drive?.log.add(note: "Trip declined: the provider is looking for another car", at: now)
            say("Declined: the provider is looking for another car", shortForms: ["Declined"])
            return [.tell(.decline(name))]
        case .failed(let reason): say("Not declined: \(reason)", shortForms: ["Not declined"])
        case .unknown(let reason): say("Perhaps declined: \(reason)", shortForms: ["Maybe declined"])
        }
        return []
    }
}

// MARK: - Keys

extension AppState {
    /// Returns the reason why a driver's key does nothing now; nil if the key works.
    func driveReason(_ action: AppAction, _ page: DrivePage) -> String? {
        switch action {
        case .accept: return page.offer == nil ? "No trip is being offered." : nil
        case .decline:
            if case .unavailable(let reason) = page.options.declining { return reason }
            if page.declining != nil { return "The provider has not answered yet." }
            return page.offer == nil ? "No trip is being offered." : nil
        case .arrived:
            if page.isStanding { return "You have already arrived." + naming(.goOn) { " Press \($0) to continue." } }
            return page.current == nil ? "There is no stop to arrive at." : nil
        case .goOn:
            if page.isStanding { return nil }
            return page.current == nil ? "There is no trip." : "Report your arrival first\(naming(.arrived) { " (\($0))" })."
        case .online, .follow, .events, .details: return nil
        case .centerVehicle: return page.journey.vehicle == nil ? "No position from the car yet." : nil
        case .fitRoute: return map.consumerMarkers(journeys).isEmpty ? "No route is known yet." : nil
        case .stops: return page.stops.isEmpty ? "There is no stop ahead." : nil
        default: return "This key is for riders."
        }
    }

    mutating func performForDriver(_ action: AppAction, priorNotice: Int?) -> [AppEffect] {
        guard let page = drive else { return [] }
        switch action {
        case .accept:
            guard let offer = page.offer else { return [] }
            say("Accepting the trip …", isWaiting: true, shortForms: ["Accepting"])
            return [.tell(.accept(offer.name))]
        case .decline:
            guard let offer = page.offer else { return [] }
            drive?.declining = offer.name
            say("Asking the provider to give the trip to another car …")
            return [.decline(offer.name)]
        case .arrived:
            if let meters = doubtfulMeters(page), priorNotice == nil || priorNotice != page.armedNotice {
                askAboutArrival(meters)
                return []
            }
            say("Reporting your arrival …", isWaiting: true)
            return [.tell(.arrived)]
        case .goOn:
            say("Reporting your departure …", isWaiting: true)
            return [.tell(.goOn)]
        case .online:
            say(page.shift.isOnline ? "Going offline …" : "Going online …", isWaiting: true)
            return [.tell(.setOnline(!page.shift.isOnline))]
        default: return []
        }
    }

    /// Asks a driver with an unfinished trip to press the key again. If no form of the question fits, names the key that quits at once.
    /// - Returns: false if there is no such trip, or if the question is already shown; true otherwise.
    mutating func asksBeforeEndingShift() -> Bool {
        let question = "A trip is under way." + naming(.quit) { " Press \($0) again to end the shift." }
        guard drive?.underWay.isEmpty == false, notice?.text != question || !noticeFits else { return false }
        say(
            question,
            shortForms: [" again: end shift", ": end shift", " again"].map { rest in naming(.quit) { "\($0)\(rest)" } }
                + [naming(.quit) { "\($0)?" }])
        if !noticeFits { say("Ctrl-C") }
        return true
    }

    /// Returns the distance to the stop, in metres, if the stop is too far away for an arrival; nil near the stop, or if the distance is
    /// unknown.
    private func doubtfulMeters(_ page: DrivePage) -> Double? {
        guard !page.isThere, let meters = page.shift.navigation.remaining?.distanceMeters else { return nil }
        return meters > Self.surelyAwayMeters ? meters : nil
    }

    /// Asks the driver to press the key again, because the stop is far away and an arrival cannot be undone. If no form of the question
    /// fits, says only that the stop is far away.
    private mutating func askAboutArrival(_ meters: Double) {
        let away = "\(distance(meters)) away"
        say(
            "The stop is \(away)." + naming(.arrived) { " Press \($0) again to report your arrival." },
            shortForms: ["\(away). Sure? ", "Sure? ", ""].map { start in naming(.arrived) { "\(start)\($0) again" } }
                + [naming(.arrived) { "\($0)?" }])
        guard noticeFits else {
            say("far")
            return
        }
        drive?.armedNotice = notice?.number
    }
}

// MARK: - Words

extension AppState {
    /// Describes a marker of the driver's map in one line.
    func driveMarkerWords(_ marker: ConsumerMarker) -> String {
        switch marker.type {
        case .vehicle: "Your car"
        case .tripPickupPoint: "Pickup"
        case .tripDropoffPoint: "Drop-off"
        case .intermediateDestination: "Stop \(marker.index + 1)"
        case .unknown: "Your position"
        }
    }
}

extension AppState {
    var driveWords: DriveWords? { drive.map { DriveWords($0, self) } }

    /// Returns the times, in seconds, until text on the driver's screen changes without an event.
    func secondsToNextWords(_ page: DrivePage) -> [Double?] {
        let reports = page.shift.reports
        let ages = [reports.refusedSince ?? reports.takenAt, page.shift.navigation.location?.timestamp].compactMap { $0 }
        let stands = page.isStanding || page.shift.phase == .waiting
        let seconds = max(0, now.timeIntervalSince(page.shift.since))
        return ages.map { TripWords.secondsToNextAge(now.timeIntervalSince($0)) }
            + [stands ? seconds.rounded(.down) + 1 - seconds : nil]
    }

    /// The banner across the screen; nil while there is no failure.
    var banner: BannerWords? {
        if let drive { return BannerWords(drive, self) }
        return page.flatMap { BannerWords($0, self) } ?? shipment.flatMap { BannerWords($0, self) }
    }

    /// Whether the banner has room to say what failed.
    var bannerTellsFailure: Bool {
        banner?.tellsFailure(columns: size.columns, maximumLines: ScreenLayout(self, page: page).banner.rows) ?? false
    }
}

extension BannerWords {
    /// Creates the banner about refused reports; nil while the server accepts reports.
    init?(_ page: DrivePage, _ state: AppState) {
        guard let error = page.shift.reports.refusal, let since = page.shift.reports.refusedSince else { return nil }
        let errorClass = error.errorClass()
        // Riders see the position of the last accepted report.
        let clock = state.clock(page.shift.reports.takenAt ?? since, withSeconds: true)
        let hasReported = page.shift.reports.takenAt != nil
        let seen = "Riders still see the car where it was at \(clock)."
        guard case .actionRequired = errorClass else {
            let words = FailureWords(error, errorClass, serverWasHeard: hasReported)
            self.init(
                needsUser: false,
                sentences: ["\(words.meaning). Trying again.", hasReported ? seen : "No report has been accepted yet."], count: 1)
            return
        }
        if error.code == .notFound {
            self.init(
                needsUser: true,
                sentences: [
                    "The server does not know \(page.options.vehicle.vehicle).",
                    "Create the vehicle on the server, or start with --create.",
                ], count: 2)
            return
        }
        let words = FailureWords.forDriver(error)
        self.init(
            needsUser: true,
            sentences: ["\(words.meaning): no report accepted since \(clock).", "Do this: \(words.advice ?? "Ask the provider.")"],
            count: 2)
    }
}
