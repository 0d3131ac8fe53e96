import ConsumerMap
package import FleetEngine
package import FoundationEssentials
package import Geo
package import JourneySharing
package import TerminalCanvas
package import TripWatchScreen
package import TripWatchWords

/// One link to a trip: the disclosed details of the trip, the link's events, and its end.
///
/// A link is a plain value. Its owner passes the updates of the trip's model to the link, and makes the viewers' pages from the
/// link.
package struct SharedLink: LinkContent {
    /// Default time from the end of the trip to the end of its link, in seconds.
    package static let afterTripSeconds = 600.0

    /// Settings that all links of a program share.
    package struct Settings: Sendable {
        package var privacy = LinkPrivacy()
        /// The latest time at which links end; nil for no such limit.
        package var until: Date?
        /// Time from the end of the trip to the end of its link, in seconds.
        package var afterTripSeconds = SharedLink.afterTripSeconds
        /// Options of the screen that viewers see. They do not depend on a terminal's colours.
        package var options = AppOptions()

        package init() {}
    }

    package let secret: LinkSecret
    /// The trip's name at its provider.
    package let source: TripName
    package private(set) var events = LinkEvents()
    package private(set) var revision = 0
    let privacy: LinkPrivacy
    private let name: TripName
    private var term: LinkTerm
    private(set) var journey: JourneyTracker
    private(set) var vehicle: Vehicle?
    private var observer = TripObserver()
    /// The screen for terminals. `chart` is a second screen, of which only the map is drawn.
    private(set) var screen: AppState
    private var chart: AppState
    private var toldTrip = ""
    /// Whether the trip has or had stops of other riders.
    private var isPooled = false

    /// Creates a link.
    /// - Parameter arrivalShownElsewhere: arrival time that another program shows for the trip; nil if unknown.
    /// - Throws: `ResourceNameError`, which does not occur for the name of a real trip.
    package init(
        secret: LinkSecret, source: TripName, settings: Settings, arrivalShownElsewhere: Date? = nil, now: Date
    ) throws(ResourceNameError) {
        self.secret = secret
        self.source = source
        term = LinkTerm(settings, noun: "trip")
        privacy = settings.privacy
        // Viewers do not see the provider's name.
        name = try TripName(provider: "link", trip: source.trip)
        journey = JourneyTracker(tripName: name, fallbackKind: settings.options.tripKind)
        journey.arrivalShownElsewhere = arrivalShownElsewhere
        journey.keepsTakenRoute = privacy.showsRoute
        var options = settings.options
        options.isViewer = true
        options.footer = term.words(options, now: now)
        screen = AppState(trips: [name], options: options, size: LinkPicture.standard, now: now)
        options.isMapAlone = true
        chart = AppState(trips: [name], options: options, size: LinkPicture.standardChart, now: now)
        (screen.map.showsPreview, chart.map.showsPreview) = (privacy.showsRoute, privacy.showsRoute)
        noteTrip(at: now)
    }

    package var subject: FollowedName { .trip(source) }
    package var endsAt: Date? { term.endsAt }
    package var mapTitle: String { screen.page?.names.title ?? "Map" }

    /// Text about the link's end while the time is unknown.
    var openEndWords: String { term.openWords }
}

// MARK: - Updates

extension SharedLink {
    /// Applies an update of the trip's model.
    /// - Returns: the requests to make for the vehicle and for street names, under the link's own trip name.
    package mutating func observe(_ update: TripUpdate) -> [AppEffect] {
        let kind: TripUpdate.Kind
        switch update.kind {
        case .trip(let trip, _):
            isPooled = isPooled || trip.remainingWaypoints.contains { !trip.owns($0) }
            // The driven route would show viewers where other riders got in or out.
            if isPooled { journey.keepsTakenRoute = false }
            let told = privacy.told(trip, as: name, isPooled: isPooled)
            kind = .trip(told, changed: TripPropertyFields(from: journey.trip, to: told))
        case .failure(let failure): kind = .failure(privacy.told(failure))
        case .ended(let status):
            kind = update.kind
            if status.isFinal {
                term.begin(at: update.time)
                screen.setFooter(term.words(screen.options, now: update.time))
            }
        case .recovered, .state: kind = update.kind
        }
        let told = TripUpdate(name: name, time: update.time, kind: kind)
        journey.observe(told)
        journey.advance(to: update.time)
        let effects = screen.update(.trip(told, journey))
        _ = chart.update(.trip(told, journey))
        // Viewers stop reading after the last status, so the `trip` event with the times of the trip's end must come first.
        noteTrip(at: update.time)
        tell(observer.observe(told, journey), at: update.time)
        revision += 1
        return effects.filter { if case .fetchVehicle = $0 { true } else if case .findStreets = $0 { true } else { false } }
    }

    package mutating func tick(_ now: Date) {
        journey.advance(to: now)
        tell(observer.tick(journey, now: now), at: now)
        _ = screen.update(.tick(now, journey))
        _ = chart.update(.tick(now, journey))
    }

    /// Applies the vehicle's details.
    package mutating func observe(_ vehicle: Vehicle, at now: Date) {
        guard let told = privacy.told(vehicle), let id = journey.trip?.vehicleID, id == told.name.vehicle else { return }
        self.vehicle = told
        _ = screen.update(.vehicle(told, for: name))
        _ = chart.update(.vehicle(told, for: name))
        noteTrip(at: now)
        revision += 1
    }

    /// Applies the names of the streets at the stops.
    package mutating func observe(streets: [Coordinate: String], at now: Date) {
        _ = screen.update(.streets(streets))
        _ = chart.update(.streets(streets))
        noteTrip(at: now)
        revision += 1
    }

    package mutating func end(at now: Date) {
        events.append(
            JSONOutput.beginning(LinkEventKind.linkEnded.rawValue, trip: source.trip, kind: journey.kind, time: now).finished, .linkEnded)
    }

    private mutating func tell(_ facts: [TripFact], at moment: Date) {
        for fact in facts {
            if case .vehicle = fact, !privacy.showsVehicle { continue }
            let trip = journey.trip ?? Trip(name: name)
            guard let line = JSONOutput().linkLine(fact, of: trip, kind: journey.kind, time: moment) else { continue }
            events.append(line.text, line.kind)
        }
    }

    private var pickedUpAt: Date? { screen.page.flatMap { $0.history.pickedUpAt($0.trip) } }

    private var droppedOffAt: Date? { screen.page.flatMap { $0.history.droppedOffAt($0.trip) } }

    /// Appends a `trip` event if one of these has changed: the trip's names, places or stop index, the times of pickup and drop-off, the
    /// vehicle's plate, looks or driver, or the link's end.
    private mutating func noteTrip(at now: Date) {
        let card = screen.page?.card
        var line = JSONLine()
        line.add("title", .string(screen.page?.names.title ?? ""))
        line.add("pickup", .string(screen.page?.names.pickup ?? ""))
        line.add("dropoff", .string(screen.page?.names.dropoff ?? ""))
        line.add("stop_names", .array((screen.page?.names.stops ?? []).map { .string($0) }))
        line.add("plate", .string(card?.plate ?? ""))
        line.add("vehicle_words", .string(card?.looks ?? ""))
        line.add("driver", .string(card?.driver ?? ""))
        line.addPlaces(of: journey.trip, stopsReached: screen.page?.history.stopsReached ?? 0)
        line.add("picked_up_at", pickedUpAt.map(JSONText.time))
        line.add("dropped_off_at", droppedOffAt.map(JSONText.time))
        line.add("ends_at", endsAt.map(JSONText.time))
        guard line.finished != toldTrip else { return }
        toldTrip = line.finished
        let beginning = JSONOutput.beginning(LinkEventKind.trip.rawValue, trip: source.trip, kind: journey.kind, time: now).finished
        events.append(beginning.dropLast() + "," + toldTrip.dropFirst(), .trip)
    }
}

// MARK: - Output for viewers

extension SharedLink {
    package func json(at now: Date) -> String {
        // All values in the output must refer to the same moment.
        var (journey, screen) = (journey, screen)
        journey.advance(to: now)
        _ = screen.update(.tick(now, journey))
        let report = StatusReport(journey, vehicle: vehicle, now: now)
        return report.linkLine(
            freshnessText: screen.page.map { screen.freshnessLine($0) } ?? "", pickedUpAt: pickedUpAt, droppedOffAt: droppedOffAt,
            endsAt: endsAt)
    }

    package func html(at now: Date, nonce: String) -> String { LinkPage(self, now: now).html(nonce: nonce) }

    package func frame(_ size: Size, at now: Date) -> LinkFrame { LinkFrame(screen: frame(size)) }

    /// Returns the screen for a terminal of the given size.
    package func frame(_ size: Size) -> AppState { Self.sized(screen, size) }

    package func map(_ size: Size) -> AppState { Self.sized(chart, size) }

    private static func sized(_ state: AppState, _ size: Size) -> AppState {
        var state = state
        _ = state.update(.resize(size))
        return state
    }
}
