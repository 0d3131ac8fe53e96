import Driver
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Navigation
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// All text on the driver's screen at one moment. Two moments with equal text look the same, apart from the map.
struct DriveWords: Hashable {
    /// Meaning of a line, which determines its symbol and colour.
    enum Mood: Hashable {
        case good, bad, quiet
    }

    /// A trip that is offered or comes next.
    struct Card: Hashable {
        var heading: String
        var lines: [String]
        /// Whether the trip waits for the driver's answer.
        var isOffer: Bool
    }

    var title: String
    /// The word in the corner of the screen, and the age that is shown after it.
    var corner: (word: String, age: String) { (cornerWord, cornerAge) }
    private var cornerWord: String
    private var cornerAge: String
    var cornerScope: ThemeScope
    /// The text for the next stop and its arrival time.
    var eta: ETAWords
    /// Progress in thousandths of the route. In this unit, two values differ only if the change is visible.
    private var progress: Int?
    var distance: String
    /// Text for the next manoeuvre and the road after it, one line each; empty if the router gave no manoeuvre.
    var turn: [String]
    var speed: String
    var isTooFast: Bool
    var delay: String
    var isLate: Bool
    var steps: [Timeline.Step]
    var card: Card?
    var report: String
    var reportMood: Mood
    var event: String

    init(_ page: DrivePage, _ state: AppState) {
        let writer = DriveWriter(page: page, state: state)
        title = writer.title
        (cornerWord, cornerAge, cornerScope) = writer.corner
        eta = writer.eta
        progress = page.fraction.map { ($0 * 1_000).clamped() }
        distance = writer.remaining
        turn = writer.turn
        (speed, isTooFast) = writer.speed
        (delay, isLate) = writer.delay
        steps = writer.steps
        card = writer.card
        (report, reportMood) = writer.report
        event = writer.event
    }

    /// Completed part of the route, 0...1; nil without a route.
    var fraction: Double? { progress.map { Double($0) / 1_000 } }

    /// Returns all steps if they fit, or else only the steps ahead. If these do not fit either, the last row says how
    /// many more there are.
    func steps(rows: Int) -> [Timeline.Step] {
        guard steps.count > rows else { return steps }
        let ahead = steps.filter { $0.kind != .done }
        guard ahead.count > rows, rows > 1 else { return Array(ahead.prefix(max(0, rows))) }
        return Array(ahead.prefix(rows - 1)) + [Timeline.Step(kind: .next, text: "\(ahead.count - rows + 1) more stops", right: "")]
    }

    /// Returns the text in the corner of the screen: `online ∙ 3 s ago`.
    func cornerLine(dot: String) -> String { cornerAge.isEmpty ? cornerWord : cornerWord + dot + cornerAge }

    /// The text in the corner of a small screen: `online 3 s`.
    var shortCorner: String {
        let age = cornerAge.hasSuffix(" ago") ? String(cornerAge.dropLast(4)) : cornerAge
        return age.isEmpty ? cornerWord : "\(cornerWord) \(age)"
    }

    /// Speed and delay in one line.
    var motion: String { [speed, delay].filter { !$0.isEmpty }.joined(separator: " ∙ ") }
}

/// Writes the texts for a driver's shift.
private struct DriveWriter {
    let page: DrivePage
    let state: AppState

    private var shift: DriverShiftState { page.shift }
    private var now: Date { state.now }
    /// Kind of the current trip, or of the offered one.
    private var kind: TripKind { kind(of: shift.trip ?? page.offer) }
    private var left: RemainingFigures? { page.isStanding || page.isThere ? nil : shift.navigation.remaining }

    private func kind(of trip: Trip?) -> TripKind { TripKind(attributes: trip?.attributes ?? [:], fallback: state.options.tripKind) }

    var title: String {
        let done = shift.completed
        return "Car \(page.options.vehicle.vehicle)" + (done == 0 ? "" : " ∙ \(done) trip\(done == 1 ? "" : "s") done")
    }

    var corner: (String, String, ThemeScope) {
        let reports = shift.reports
        if let since = reports.refusedSince { return ("no report", age(since), .freshnessOffline) }
        guard shift.isOnline || shift.trip != nil else { return ("offline", "", .freshnessEnded) }
        guard let taken = reports.takenAt else { return ("starting", "", .textQuiet) }
        return (shift.isOnline ? "online" : "finishing", age(taken) + " ago", .freshnessLive)
    }

    private func age(_ date: Date) -> String { TripWords.age(now.timeIntervalSince(date)) }

    /// Maximum age of a position that counts as live, in seconds.
    private static let liveSeconds = 15.0

    private var positionAge: Double? { shift.navigation.location.map { now.timeIntervalSince($0.timestamp) } }

    var remaining: String { left.map { state.distance($0.distanceMeters) } ?? "" }

    // MARK: Next stop

    var eta: ETAWords {
        switch shift.phase {
        case .starting: return ETAWords(heading: "STARTING", big: "", unit: "", detail: "asking the server", short: "Starting")
        case .waiting:
            return shift.trip == nil
                ? idle
                : ETAWords(
                    heading: "NEXT STOP", big: "", unit: "", detail: "finding the route", short: "Finding the route")
        case .driving(let stop, let isThere): return isThere ? there(stop.type) : way(to: stop.type)
        case .standing(let stop): return standing(stop.type)
        }
    }

    private var idle: ETAWords {
        if let offer = page.offer { return offered(offer) }
        // An accepted trip begins as soon as the server answers.
        guard shift.later.isEmpty else {
            return ETAWords(heading: "NEXT TRIP", big: "", unit: "", detail: "asking the server", short: "Asking the server")
        }
        guard shift.isOnline else {
            return ETAWords(
                heading: "OFFLINE", big: "", unit: "", detail: "no new trips", short: "Offline",
                stopwatch: state.naming(.online) { "\($0): go online" })
        }
        let waited = TripWords.stopwatch(now.timeIntervalSince(shift.since))
        return ETAWords(
            heading: "WAITING FOR A TRIP", big: waited, unit: "", detail: "since \(state.clock(shift.since))", short: "Waiting \(waited)",
            stopwatch: "for a trip", isHere: true)
    }

    private func offered(_ offer: Trip) -> ETAWords {
        let meters = page.metersToPickup(of: offer)
        let parts = (meters.map { state.distance($0) } ?? "").split(separator: " ")
        let isOrder = kind(of: offer) == .order
        let decline = state.disabledReason(.decline) == nil ? state.naming(.decline) { "\($0) decline" } : ""
        return ETAWords(
            heading: isOrder ? "NEW ORDER" : "NEW TRIP", big: parts.first.map(String.init) ?? "",
            unit: parts.dropFirst().joined(separator: " "),
            detail: meters == nil ? "distance unknown" : isOrder ? "to the shop" : "to pickup",
            short: (isOrder ? "New order " : "New trip ") + parts.joined(separator: " "),
            stopwatch: [state.naming(.accept) { "\($0) accept" }, decline].filter { !$0.isEmpty }.joined(separator: "  "))
    }

    private func way(to type: WaypointType) -> ETAWords {
        let isLive = (positionAge ?? 0) <= Self.liveSeconds
        let text = ETAText(arrival: nextArrival, now: now, remainingMeters: left?.distanceMeters, isLive: isLive)
        let what = word(type)
        let about = isLive ? "" : " ABOUT"
        let at = nextArrival.map { "at \(state.clock($0))" } ?? ""
        func words(_ big: String, _ unit: String, heading: String? = nil) -> ETAWords {
            ETAWords(
                heading: (heading ?? "\(what) IN").uppercased() + about, big: big, unit: unit, remark: isLive ? "" : "(no position)",
                detail: at, short: "\(what) \(text.short)")
        }
        return switch text.value {
        case .unknown: ETAWords(heading: what.uppercased(), big: "", unit: "", detail: text.short, short: "\(what): \(text.short)")
        case .arriving, .overdue: words("NOW", "", heading: what)
        case .lessThanAMinute: words(isLive ? "<1" : "1", "min")
        case .minutes(let minutes): words("\(minutes)", "min")
        case .hours(let hours, let minutes): words("\(hours):\(minutes < 10 ? "0" : "")\(minutes)", "h")
        }
    }

    private func there(_ type: WaypointType) -> ETAWords {
        let act = state.naming(.arrived) { type == .dropoff ? "\($0) completes the \(kind.subject)" : "\($0): arrived" }
        return ETAWords(
            heading: "YOU ARE AT THE \(word(type).uppercased())", big: "HERE", unit: "", detail: act,
            short: "\(word(type)): here",
            stopwatch: act, isHere: true)
    }

    private func standing(_ type: WaypointType) -> ETAWords {
        let waited = TripWords.stopwatch(now.timeIntervalSince(shift.since))
        let act = state.naming(.goOn) { "\($0): " + (type != .pickup ? "go on" : kind == .order ? "order on board" : "rider on board") }
        return ETAWords(
            heading: type == .pickup && kind == .ride ? "WAITING FOR THE RIDER" : "AT THE \(word(type).uppercased())", big: waited,
            unit: "",
            detail: act,
            short: "\(word(type)) \(waited)", stopwatch: act, isHere: true)
    }

    /// - Parameter kind: the kind of the stop's trip; nil for the current trip.
    private func word(_ type: WaypointType, kind: TripKind? = nil) -> String {
        let kind: TripKind = kind ?? self.kind
        return switch type {
        case .pickup: kind == .order ? "Shop" : "Pickup"
        case .intermediate: "Stop"
        case .dropoff: "Drop-off"
        case .unknown: "Next stop"
        }
    }

    var turn: [String] {
        guard page.current != nil, !page.isStanding, !page.isThere, let info = shift.navigation.navInfo else { return [] }
        return TurnWords.lines(info) { state.distance($0) }
    }

    // MARK: Speed and delay

    var speed: (String, Bool) {
        guard let location = shift.navigation.location else { return ("", false) }
        if let age = positionAge, age > Self.liveSeconds { return ("no position for \(TripWords.age(age))", true) }
        guard let speed = location.speedMetersPerSecond, page.current != nil, !page.isStanding else { return ("", false) }
        let text = DetailList.speed(speed, state)
        guard let limit = shift.limitMetersPerSecond else { return (text, false) }
        return (
            "\(text) ∙ limit \(DetailList.speed(limit, state).split(separator: " ").first ?? "")",
            shift.navigation.speedAlertSeverity != .notSpeeding
        )
    }

    var delay: (String, Bool) {
        guard let seconds = page.delaySeconds(now: now) else { return ("", false) }
        let minutes = (abs(seconds) / 60).clamped()
        let words = TripWords.punctuality(minutesLate: seconds > 0 ? minutes : -minutes)
        let isLate = seconds > 0 && minutes >= 3
        switch shift.navigation.delayCategoryToNextDestination {
        case .heavy: return ("heavy traffic, \(words)", true)
        case .medium: return ("slow traffic, \(words)", isLate)
        case .light, .noData: return (words, isLate)
        }
    }

    // MARK: Stops and riders

    private var nextArrival: Date? { left.map { now.addingTimeInterval($0.timeSeconds) } }

    /// The vehicle's delay at the next stop compared with the server's forecast, in seconds. It is added to the server's times for
    /// later stops.
    private var driftSeconds: Double {
        guard page.current != nil, !page.isStanding, !page.isThere, let told = page.stops.first?.eta, let nextArrival else { return 0 }
        return nextArrival.timeIntervalSince(told)
    }

    var steps: [Timeline.Step] {
        guard let trip = shift.trip else { return [] }
        var steps: [Timeline.Step] = []
        if !trip.status.isBeforePickup, let left = page.pickedUpAt {
            steps.append(Timeline.Step(kind: .done, text: kind == .order ? "Order on board" : "Rider on board", right: state.clock(left)))
        }
        for (index, stop) in page.stops.enumerated() {
            let known = page.underWay.first { $0.name.trip == stop.tripID }
            let isNow = index == 0 && page.current != nil
            let kind = kind(of: known ?? trip)
            let name = name(of: stop.coordinate, stop.type, known ?? trip)
            let isNamed = stop.tripID == trip.name.trip || known != nil && !name.isEmpty
            let type = stop.type == .unknown && index > 0 ? .intermediate : stop.type
            let word = word(type, kind: kind) + (isNamed ? "" : kind == .order ? " of another order" : " of another rider")
            let eta = isNow ? nextArrival : page.arrival(at: stop, now: now)?.addingTimeInterval(driftSeconds)
            steps.append(
                Timeline.Step(
                    kind: isNow ? .now : stop.type == .dropoff ? .goal : .next, text: name.isEmpty ? word : "\(word)  \(name)",
                    right: isNow && (page.isStanding || page.isThere) ? "now" : eta.map { state.clock($0) } ?? ""))
        }
        return steps
    }

    /// Returns the name of a stop, from the trip or the base map; empty if neither has a name. Among the trip's stops at this place, one of
    /// the same type is preferred, then the nearest.
    private func name(of place: Coordinate?, _ type: WaypointType, _ trip: Trip) -> String {
        guard let place else { return "" }
        let names = TripNames(trip.name, trip: trip, title: nil, streets: state.streets)
        var stops = trip.intermediateDestinations.enumerated().map { (WaypointType.intermediate, $1, names.stopPlace($0)) }
        if let pickup = trip.pickupPoint { stops.append((.pickup, pickup, names.pickup)) }
        if let dropoff = trip.dropoffPoint { stops.append((.dropoff, dropoff, names.dropoff)) }
        let near = stops.map { own, point, name -> (rank: Int, meters: Double, name: String) in
            (rank: own == type ? 0 : 1, meters: point.distanceMeters(to: place), name: name)
        }
        .filter { $0.meters < DrivePage.sameStopMeters }
        let nearest = near.min { ($0.rank, $0.meters) < ($1.rank, $1.meters) }
        if let nearest, !nearest.name.isEmpty { return nearest.name }
        return state.streets[place].map { sanitised($0, maximumLength: 60) } ?? ""
    }

    var card: DriveWords.Card? {
        if let offer = page.offer {
            let isOrder = kind(of: offer) == .order
            let heading = shift.trip == nil ? (isOrder ? "THE ORDER" : "THE RIDE") : isOrder ? "NEW ORDER" : "NEW TRIP"
            return card(offer, heading: heading, isOffer: true)
        }
        return shift.later.first { $0.status.isBeforePickup }
            .map { card($0, heading: kind(of: $0) == .order ? "NEXT ORDER" : "NEXT RIDER", isOffer: false) }
    }

    private func card(_ trip: Trip, heading: String, isOffer: Bool) -> DriveWords.Card {
        let pickup = name(of: trip.pickupPoint, .pickup, trip)
        let dropoff = name(of: trip.dropoffPoint, .dropoff, trip)
        let away = page.metersToPickup(of: trip).map { state.distance($0) } ?? ""
        let route = [trip.pickupPoint].compactMap { $0 } + trip.intermediateDestinations + [trip.dropoffPoint].compactMap { $0 }
        let length = zip(route, route.dropFirst()).reduce(0) { $0 + $1.0.distanceMeters(to: $1.1) }
        let riders = trip.numberOfPassengers > 1 ? "\(trip.numberOfPassengers) riders" : ""
        let stops = trip.intermediateDestinations.count
        let between = stops == 0 ? "" : "\(stops) stop\(stops == 1 ? "" : "s")"
        let isOrder = kind(of: trip) == .order
        let from = [isOrder ? "Shop" : "Pickup", pickup, shift.trip == nil ? "" : away].filter { !$0.isEmpty }
        return DriveWords.Card(
            heading: heading,
            lines: [
                from.count > 1 ? from.joined(separator: " ∙ ") : "",
                "\(isOrder ? "Route" : "Ride") \(state.distance(length))" + (dropoff.isEmpty ? "" : " to \(dropoff)"),
                [between, riders].filter { !$0.isEmpty }.joined(separator: " ∙ "),
            ].filter { !$0.isEmpty }, isOffer: isOffer)
    }

    // MARK: Reports

    var report: (String, DriveWords.Mood) {
        let reports = shift.reports
        if let error = reports.refusal {
            let since = reports.refusedSince.map { " for \(age($0))" } ?? ""
            return (error.origin == .server ? "refused: \(error.code.name)" : "no answer\(since)", .bad)
        }
        if !shift.isOnline, shift.trip == nil { return ("no reports sent", .quiet) }
        return reports.takenAt.map { ("last report \(age($0)) ago", .good) } ?? ("no report yet", .quiet)
    }

    var event: String {
        if let notice = state.notice { return notice.text }
        return state.loggedEvents.last.map { "\(state.clock($0.time, withSeconds: true))  \(state.words($0))" } ?? ""
    }
}
