import ConsumerMap
import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchSettings
package import TripWatchWords

/// The countdown in the parts that views draw: heading, number, unit and details.
package struct ETAWords: Hashable {
    /// `PICKUP IN`, with `ABOUT` if the number is not live.
    package var heading: String
    /// Text in large characters: `6`, `1:05`, `NOW`, `HERE`; empty if unknown.
    package var big: String
    /// Text after or below the number: `min`, `h`.
    package var unit: String
    /// Remark after the unit, or above it if there is no room: `(not live)`.
    package var remark = ""
    /// Further text, such as `at 14:13`.
    package var detail: String
    /// The whole countdown in a short text: `Pickup 6 min`.
    var short: String
    /// Duration of the current state, if it matters to the user: `waiting 0:42`.
    var stopwatch = ""
    /// Whether words or a stopwatch replace the number. The details are then placed below.
    var isHere = false

    /// The number and its unit: `6 min`. `NOW` has no unit. Empty if the heading is the whole text: `PICKUP ABOUT NOW`.
    var number: String { unit.isEmpty ? big : "\(big) \(unit)" }

    /// Returns the unit, followed by the remark if both fit in `columns`.
    func unit(columns: Int) -> String {
        let both = [unit, remark].filter { !$0.isEmpty }.joined(separator: "  ")
        return remark.isEmpty || displayWidth(both) > columns ? unit : both
    }

    /// Returns the details, or only the stopwatch if they do not fit in `columns`.
    func detail(columns: Int) -> String { stopwatch.isEmpty || displayWidth(detail) <= columns ? detail : stopwatch }
}

extension AppState {
    package func etaWords(_ page: TripPage) -> ETAWords {
        if let panel = page.phrases.panel { return words(panel, page) }
        return page.trip == nil ? waitingWords(page) : countdownWords(page)
    }

    /// Returns the texts before the first answer.
    func waitingWords(_ page: some PolledPage) -> ETAWords {
        let waited = TripWords.age(now.timeIntervalSince(page.openedAt))
        let words = page.failure == nil ? "Connecting" : page.needsUser ? "No data" : "No answer yet"
        return ETAWords(heading: words.uppercased(), big: "", unit: "", detail: "for \(waited)", short: words, stopwatch: "for \(waited)")
    }

    /// Returns the texts for a state that has no countdown, with the duration of the state.
    private func words(_ panel: StatusPhrases.Panel, _ page: TripPage) -> ETAWords {
        var words = ETAWords(heading: panel.heading, big: panel.big, unit: "", detail: "", short: panel.short)
        guard !page.status.isFinal else { return words }
        words.isHere = page.isAtStop && page.trip?.vehicleID != nil
        let since = stopwatchStart(page)
        if let since {
            words.stopwatch = "\(words.isHere ? "waiting" : "for") \(TripWords.stopwatch(page.clockTime(now).timeIntervalSince(since)))"
            words.detail = words.stopwatch + ", since \(clock(since))"
        } else {
            // The state began before this program first saw the trip, so only its least duration is known.
            words.stopwatch =
                stopwatchBase(page).map { "for at least \(TripWords.stopwatch(page.clockTime(now).timeIntervalSince($0)))" }
                ?? "waiting"
            words.detail = words.stopwatch
        }
        return words
    }

    /// Returns the time of the booking. While the car of a ride is at one of the rider's stops, returns the time of the car's arrival there
    /// instead. Nil if this time is unknown, and after the trip.
    func stopwatchStart(_ page: TripPage) -> Date? {
        if page.status.isFinal { return nil }
        return page.isAtStop ? page.history.enteredAt[page.status] : page.history.createdAt
    }

    /// Returns the time from which the stopwatch counts: the result of `stopwatchStart`, or else the time when the trip was first seen. Nil
    /// if neither is known, and after the trip.
    func stopwatchBase(_ page: TripPage) -> Date? { page.status.isFinal ? nil : stopwatchStart(page) ?? page.history.seenAt }

    private func countdownWords(_ page: TripPage) -> ETAWords {
        let eta = page.etaText(now: now)
        let what = stopWord(page)
        let countedDown = page.kind == .order ? "DELIVERY IN" : "\(what.uppercased()) IN"
        let about = eta.isApproximate ? " ABOUT" : ""
        let time = page.journey.forecast.shown.map { clock($0) + options.zone(after: $0) }
        let at = time.map { "at \($0)" } ?? ""
        let remark = eta.isApproximate ? "(not live)" : ""
        func words(_ big: String, _ unit: String, heading: String? = nil, short: String) -> ETAWords {
            ETAWords(
                heading: heading ?? countedDown + about, big: big, unit: unit,
                remark: remark, detail: at,
                short: "\(what) \(about.isEmpty ? "" : "about ")\(short)")
        }
        switch eta.value {
        case .unknown where page.kind == .order:
            return ETAWords(heading: countedDown, big: "", unit: "", detail: "–", short: "\(what): –")
        case .unknown:
            return ETAWords(heading: what.uppercased(), big: "", unit: "", detail: eta.short, short: "\(what): \(eta.short)")
        case .arriving: return words("NOW", "", heading: what.uppercased() + about, short: about.isEmpty ? eta.short : "now")
        case .overdue:
            // A large NOW would call the rider to a car that has not come.
            return ETAWords(
                heading: what.uppercased() + " ABOUT NOW", big: "", unit: "", remark: remark,
                detail: [time.map { "due \($0)" } ?? "", remark].filter { !$0.isEmpty }.joined(separator: " "),
                short: "\(what) \(eta.short)")
        case .lessThanAMinute: return words(eta.isApproximate ? "1" : "<1", "min", short: eta.short)
        case .minutes(let minutes): return words("\(minutes)", "min", short: eta.short)
        case .hours(let hours, let minutes):
            return words("\(hours):\(minutes < 10 ? "0" : "")\(minutes)", "h", short: eta.short)
        }
    }

    /// Returns the name of the stop that the countdown refers to: `Pickup`, `Mill Lane`, `Stop 1 of 2`, `Arrival`, `Delivery`.
    package func stopWord(_ page: TripPage) -> String {
        let (waypoint, index) = (page.journey.estimate?.waypoint ?? .pickup, page.trip?.stopIndex ?? 0)
        let count = page.trip?.intermediateDestinations.count ?? 0
        return stopWord(waypoint, index: index, page) { count > 1 ? "\($0) of \(count)" : "\($0)" }
    }

    /// Returns the name of a stop: `Pickup`, `Mill Lane`, `Stop 1`, `Arrival`, `Delivery`.
    /// - Parameters:
    ///   - index: the index of a stop on the way, from 0.
    ///   - number: returns the words for the number of a stop on the way. It is used if the stop has no name, or if the stop's name is
    ///     long.
    func stopWord(_ waypoint: WaypointType, index: Int, _ page: TripPage, number: (Int) -> String = { "\($0)" }) -> String {
        guard waypoint == .intermediate else { return page.kind.stop(waypoint) }
        let name = page.names.stop(index)
        let isShort = !name.isEmpty && displayWidth(name) <= TripNames.shortColumns
        return isShort ? name : "\(TripWords.stop(waypoint)) \(number(index + 1))"
    }
}

/// Texts about the freshness of the data, shown in the corner.
extension AppState {
    /// Returns the word for the freshness of the data, and the age that follows it.
    package func freshnessWords(_ page: TripPage) -> (word: String, age: String) {
        if let corner = page.phrases.corner { return (corner, "") }
        guard let state = page.journey.freshness else {
            return (page.trip == nil ? "connecting" : page.trip?.vehicleID == nil ? "no \(page.kind.vehicle) yet" : "no position yet", "")
        }
        let answerAge = page.journey.lastAnswerAt.map { now.timeIntervalSince($0) }
        if let word = answeredWord(page) { return (word, answerAge.map { TripWords.age($0) } ?? "") }
        let word = page.isWaitingForQuota ? "paused" : TripWords.freshness(state)
        guard let age = page.journey.ageSeconds(now: now) ?? answerAge, state != .stopped else { return (word, "") }
        return (word, TripWords.age(age) + (state == .live ? " ago" : ""))
    }

    /// Returns `not found` or `server error` if the server answers with an error and is asked again; nil otherwise.
    func answeredWord(_ page: some PolledPage) -> String? {
        page.needsUser ? nil : page.failure.flatMap { FailureWords.answeredWord($0.error) }
    }

    /// Returns `retry in 4 s`, and `retrying` once the time has come.
    func retryWords(_ page: some PolledPage) -> String {
        guard let seconds = page.retrySeconds(now: now), seconds > 0 else { return "retrying" }
        return "retry in \(TripWords.countdown(seconds))"
    }

    /// Returns the freshness in one line: `live ∙ 3 s ago`.
    package func freshnessLine(_ page: TripPage, dot: String = " ∙ ") -> String {
        let words = freshnessWords(page)
        return words.age.isEmpty ? words.word : words.word + dot + words.age
    }

    /// Returns the freshness for the corner of a small screen: `live 3 s`.
    func shortFreshness(_ page: TripPage) -> String {
        let words = freshnessWords(page)
        let age = words.age.hasSuffix(" ago") ? String(words.age.dropLast(4)) : words.age
        return age.isEmpty ? words.word.replacing("\(page.kind.subject) ", with: "") : "\(words.word) \(age)"
    }

    func freshnessScope(_ page: TripPage) -> ThemeScope { Self.scope(of: page.journey.freshness) }

    static func scope(of freshness: Freshness?) -> ThemeScope {
        switch freshness {
        case .live: .freshnessLive
        case .quiet: .freshnessQuiet
        case .notLive: .freshnessNotLive
        case .offline: .freshnessOffline
        case .stopped: .freshnessStopped
        case .ended: .freshnessEnded
        case nil: .textQuiet
        }
    }

    /// Returns the label beside a vehicle whose position is old.
    func lastSeenWords(_ journey: JourneyTracker) -> String? {
        guard let age = journey.ageSeconds(now: now) else { return nil }
        if journey.freshness == .stopped { return "last seen \(clock(shownNow.addingTimeInterval(-age), withSeconds: true))" }
        return "last seen \(TripWords.age(age)) ago"
    }
}

extension AppState {
    /// Returns the car's phase in a few words. Before the first answer, returns the state of the connection.
    func phaseWords(_ page: TripPage) -> String {
        guard let trip = page.trip else { return page.failure == nil ? "connecting" : "no answer yet" }
        if page.journey.vehicle?.isOffRoute == true, page.journey.isLive { return "off route" }
        let others = page.kind == .ride && trip.stopsBefore > 1 ? stopsBeforeWords(page) : othersPhase(page)
        return others ?? page.phrases.phase
    }

    /// The title of the terminal's window: `6 min ∙ Northgate Station`.
    package var windowTitle: String {
        if let words = driveWords { return "\(words.eta.short) ∙ \(words.title)" }
        if let shipment, let words = shipmentWords { return sanitised("\(words.short) ∙ \(shipment.shortTitle)", maximumLength: 120) }
        guard let page else { return "tripwatch" }
        let eta = page.etaText(now: now)
        // While the delivery time is unknown, the status tells the user more.
        let known = page.kind == .order && eta.value == .unknown ? page.phrases.brief ?? eta.text : eta.text
        let what = page.phrases.standing ?? (page.trip == nil ? "connecting" : known)
        return sanitised("\(what) ∙ \(page.names.place)", maximumLength: 120)
    }

    /// Progress of the shown trip to its next stop; nil while it is unknown, after the trip, and if no trip is shown.
    package var windowProgress: WindowProgress? {
        guard let page, page.trip != nil, !page.status.isFinal else { return nil }
        guard let fraction = page.isAtStop ? 1 : page.journey.progress.fraction, fraction.isFinite else { return nil }
        return WindowProgress(percent: Int((min(max(fraction, 0), 1) * 100).rounded(.down)), isPaused: !page.journey.isLive)
    }

    /// One line to send to a person who is waiting. It contains no position.
    package var shareLine: String {
        if let shipment, let words = shipmentWords { return "\(shipment.title): \(words.shareLine(shipment, self))" }
        guard let page else { return "" }
        let title = page.names.title
        if page.status.isFinal, let standing = page.phrases.standing {
            let time = page.status == .complete ? page.history.droppedOffAt(page.trip) : nil
            return "\(title): \(standing)" + (time.map { " \(clock($0))" } ?? "")
        }
        var parts = [etaWords(page).short]
        // An old position says nothing about the distance.
        if page.journey.isLive, page.phrases.panel == nil {
            if let shown = page.journey.forecast.shown { parts.append(clock(shown)) }
            if let meters = page.journey.estimate?.remainingMeters { parts.append(distanceLeft(meters)) }
        }
        if let card = page.card, !card.plate.isEmpty, page.status.isBeforePickup { parts.append(card.plate) }
        return "\(title): \(parts.joined(separator: ", "))\(doubt(page))"
    }

    private func doubt(_ page: TripPage) -> String {
        guard page.phrases.panel == nil else { return "" }
        return doubt(page.journey.freshness, ageSeconds: page.journey.ageSeconds(now: now), answeredAt: page.journey.lastAnswerAt)
    }

    /// Returns the age of old data in parentheses, for a person who does not see this screen. It is the age of the position, or of the
    /// last answer if no position is known. Empty if the data are live.
    func doubt(_ freshness: Freshness?, ageSeconds: Double?, answeredAt: Date?) -> String {
        guard let freshness, freshness != .live else { return "" }
        if let ageSeconds { return " (position \(TripWords.age(ageSeconds)) old)" }
        return answeredAt.map { " (last checked \(TripWords.age(now.timeIntervalSince($0))) ago)" } ?? ""
    }
}
