import ConsumerMap
package import FleetEngine
package import FoundationEssentials
import Geo
package import JourneySharing
package import TerminalCanvas
package import TripWatchScreen
package import TripWatchWords

/// One link to a shipment: the disclosed details of the shipment, the link's events, and its end. ``SharedLink`` does the same for a trip.
///
/// A link is a plain value. Its owner passes the updates of the shipment's model to the link, and makes the viewers' pages from the link.
package struct SharedShipment: LinkContent {
    package let secret: LinkSecret
    /// The shipment's name at its provider.
    package let source: TaskTrackingName
    package private(set) var events = LinkEvents()
    package private(set) var revision = 0
    let options: AppOptions
    private let privacy: LinkPrivacy
    private let name: TaskTrackingName
    private(set) var tracker: ShipmentTracker
    private(set) var term: LinkTerm
    private var observer = ShipmentObserver()
    private var chart: ShipmentChart
    private var toldName = ""

    /// Creates a link.
    /// - Throws: `ResourceNameError`, which does not occur for the name of a real shipment.
    package init(secret: LinkSecret, source: TaskTrackingName, settings: SharedLink.Settings, now: Date) throws(ResourceNameError) {
        self.secret = secret
        self.source = source
        options = settings.options
        privacy = settings.privacy
        term = LinkTerm(settings, noun: "shipment")
        // Viewers do not see the provider's name.
        name = try TaskTrackingName(provider: "link", trackingID: source.trackingID)
        tracker = ShipmentTracker(name: name)
        chart = try ShipmentChart(options: settings.options, now: now)
        noteName(at: now)
    }

    package var subject: FollowedName { .shipment(source) }
    package var endsAt: Date? { term.endsAt }
    package var mapTitle: String { title }

    /// The title that the user chose, or the tracking id if there is no title.
    var title: String { sanitised(options.title ?? "Shipment \(source.trackingID)", maximumLength: 80) }

    /// Returns the shipment's state in words.
    func state(at now: Date) -> ShipmentState? { ShipmentState(tracker, now: now, secondsFromGMT: options.secondsFromGMT) }

    /// Whether the shipment has a position, a route or a place to draw on a map.
    var hasMap: Bool {
        guard let shipment = tracker.shipment?.drawn else { return false }
        return shipment.vehicleLocation != nil || shipment.route != nil || shipment.plannedLocation != nil
    }
}

// MARK: - Updates

extension SharedShipment {
    /// Applies an update of the shipment's model.
    /// - Parameter pollIntervalSeconds: seconds between the model's last answer and its next poll.
    package mutating func observe(_ update: ShipmentUpdate, pollIntervalSeconds: Double) {
        let kind: ShipmentUpdate.Kind
        switch update.kind {
        case .shipment(let shipment, _):
            let told = privacy.told(shipment, as: name)
            kind = .shipment(told, changed: ShipmentFields(from: tracker.shipment, to: told))
        case .failure(let failure): kind = .failure(privacy.told(failure))
        case .ended(let shipment):
            kind = .ended(privacy.told(shipment, as: name))
            term.begin(at: update.time)
        case .replaced, .recovered, .state: kind = update.kind
        }
        let told = ShipmentUpdate(name: name, time: update.time, kind: kind)
        tracker.pollIntervalSeconds = pollIntervalSeconds
        tracker.observe(told)
        chart.observe(told)
        tell(observer.observe(told, tracker), at: update.time)
        noteName(at: update.time)
        revision += 1
    }

    package mutating func tick(_ now: Date) {
        tracker.tick(now: now)
        chart.tick(now)
        tell(observer.tick(tracker, now: now), at: now)
    }

    package mutating func end(at now: Date) {
        events.append(ShipmentJSON.beginning(LinkEventKind.linkEnded.rawValue, tracking: name.trackingID, time: now).finished, .linkEnded)
    }

    private mutating func tell(_ facts: [ShipmentFact], at moment: Date) {
        for fact in facts {
            let shipment = tracker.shipment ?? TaskTrackingInfo(name: name)
            guard let line = ShipmentJSON().linkLine(fact, of: shipment, time: moment) else { continue }
            events.append(line.text, line.kind)
        }
    }

    /// Appends a `shipment` event at the start, and when the link's end has changed.
    private mutating func noteName(at now: Date) {
        var line = JSONLine()
        line.add("title", .string(title))
        line.add("ends_at", endsAt.map(JSONText.time))
        guard line.finished != toldName else { return }
        toldName = line.finished
        let beginning = ShipmentJSON.beginning(LinkEventKind.shipment.rawValue, tracking: name.trackingID, time: now).finished
        events.append(beginning.dropLast() + "," + toldName.dropFirst(), .shipment)
    }
}

// MARK: - Output for viewers

extension SharedShipment {
    package func json(at now: Date) -> String {
        // All values in the output must refer to the same moment.
        var tracker = tracker
        tracker.tick(now: now)
        return ShipmentReport(tracker, now: now).linkLine(
            freshnessText: ShipmentFreshness(tracker, now: now).text, endsAt: endsAt, showsPlace: privacy.showsAddress)
    }

    package func html(at now: Date, nonce: String) -> String { ShipmentPage(self, now: now).html(nonce: nonce) }

    package func frame(_ size: Size, at now: Date) -> LinkFrame {
        let words = wordLines(at: now, columns: size.columns)
        let lines = ([title] + words + [ShipmentFreshness(tracker, now: now).text]).filter { !$0.isEmpty }
        let shown = Array(lines.prefix(size.rows))
        let rows = size.rows - shown.count - 1
        guard rows > 0 else { return LinkFrame(lines: shown) }
        return LinkFrame(
            lines: shown, screen: hasMap ? map(Size(columns: size.columns, rows: rows)) : nil,
            footer: AppState.fitting([term.words(options, now: now), ""], columns: size.columns))
    }

    /// The main line and the lines below it. A line that is too long loses its time zone. The main line may also lose its clock time.
    private func wordLines(at now: Date, columns: Int) -> [String] {
        guard let words = state(at: now) else { return [] }
        let times = ShipmentTimes(tracker)
        let figures = [words.value.namingZones(of: times.value, options), words.value].map {
            [words.heading, $0].filter { !$0.isEmpty }.joined(separator: " ")
        }
        let clock = words.clock.isEmpty ? "" : ", at " + words.clock.namingZones(of: times.clock, options)
        let below = [(words.line, times.line), (words.windowLine, times.windowLine)].map { line, moments in
            AppState.fitting([line.namingZones(of: moments, options), line].map(\.capitalised), columns: columns)
        }
        return [AppState.fitting(figures.map { $0 + clock } + figures, columns: columns)] + below
    }

    package func map(_ size: Size) -> AppState { chart.sized(size) }
}

/// Words for the freshness and age of a shipment's position. Without a position, they give the age of the last answer.
struct ShipmentFreshness {
    /// CSS class of the mark before the words.
    let mark: String
    let word: String
    /// The age in words; empty if no age is shown.
    private(set) var age = ""
    private(set) var seconds = 0.0
    /// Separator between the word and the age.
    private(set) var dot = " ∙ "

    init(_ tracker: ShipmentTracker, now: Date) {
        mark = tracker.freshness?.rawValue ?? "none"
        let answered = tracker.lastAnswerAt.map { max(0, now.timeIntervalSince($0)) }
        guard !tracker.isOver(now: now) else {
            word = TripWords.freshness(.ended)
            return
        }
        guard let freshness = tracker.freshness else {
            word = answered == nil ? "connecting" : "last checked"
            dot = " "
            guard let answered else { return }
            seconds = answered
            age = TripWords.age(answered) + " ago"
            return
        }
        word = FailureWords.freshness(freshness, after: tracker.failure)
        guard let known = tracker.ageSeconds(now: now) ?? answered, freshness != .stopped else { return }
        seconds = known
        age = TripWords.age(known) + (freshness == .live ? " ago" : "")
    }

    /// The text for the position, such as `live ∙ 3 s ago` or `last checked 4 s ago`.
    var text: String { age.isEmpty ? word : word + dot + age }
}

extension TaskTrackingInfo {
    /// The shipment as a map shows it. After a shipment is closed or has an outcome, its van and route are no longer shown.
    fileprivate var drawn: TaskTrackingInfo {
        guard state == .closed || outcome != nil else { return self }
        var drawn = self
        (drawn.vehicleLocation, drawn.route) = (nil, nil)
        return drawn
    }
}

/// The map of a shipment, in the form of a trip's map. It shows the van, the route and the planned location, if they are
/// disclosed.
private struct ShipmentChart: Sendable {
    private let name: TripName
    private var journey: JourneyTracker
    private var state: AppState

    init(options: AppOptions, now: Date) throws(ResourceNameError) {
        name = try TripName(provider: "link", trip: "shipment")
        journey = JourneyTracker(tripName: name)
        // The driven route would show viewers the stops of other people.
        journey.keepsTakenRoute = false
        var options = options
        options.isMapAlone = true
        state = AppState(trips: [name], options: options, size: LinkPicture.standardChart, now: now)
        state.map.showsPreview = false
    }

    mutating func observe(_ update: ShipmentUpdate) {
        let kind: TripUpdate.Kind
        switch update.kind {
        case .shipment(let shipment, _):
            let trip = trip(of: shipment.drawn)
            kind = .trip(trip, changed: TripPropertyFields(from: journey.trip, to: trip))
        case .failure(let failure): kind = .failure(failure)
        case .recovered(let seconds): kind = .recovered(afterSeconds: seconds)
        case .replaced, .state, .ended: return
        }
        let told = TripUpdate(name: name, time: update.time, kind: kind)
        journey.observe(told)
        journey.advance(to: update.time)
        _ = state.update(.trip(told, journey))
    }

    private func trip(of shipment: TaskTrackingInfo) -> Trip {
        var trip = Trip(name: name, vehicleID: shipment.vehicleLocation.map { _ in "" }, status: .enrouteToDropoff)
        trip.lastLocation = shipment.vehicleLocation
        trip.activeRoute = RouteLine(shipment.route ?? Polyline([]))
        trip.dropoffPoint = shipment.plannedLocation
        return trip
    }

    mutating func tick(_ now: Date) {
        journey.advance(to: now)
        _ = state.update(.tick(now, journey))
    }

    func sized(_ size: Size) -> AppState {
        var state = state
        _ = state.update(.resize(size))
        return state
    }
}
