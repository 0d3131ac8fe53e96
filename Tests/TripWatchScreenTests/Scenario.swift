import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Synchronization
import TerminalCanvas
import Testing
import TripTesting
import TripWatchScreen
import TripWatchWords

/// A state of the app, created as in the running program: by a server's answers and by the passing of time.
struct Scenario: Sendable {
    var state: AppState
    /// The effects that the app requested, except for the expiry of notices.
    private(set) var effects: [AppEffect] = []
    /// The notices whose expiry the app requested, with the time until their expiry in seconds.
    private(set) var noticeEnds: [(number: Int, seconds: Double)] = []
    private var known: Trip?
    /// The journey trackers of the sessions, by trip.
    private var journeys: [TripName: JourneyTracker]
    private let name: TripName

    init?(
        size: Size, options: AppOptions = Scenario.options(), trips: [String] = ["7f3a-northgate"], shipments: [TaskTrackingName] = [],
        now: String = "14:01:50"
    ) {
        let names = trips.compactMap { MadeUpTrip.name($0) }
        guard let first = names.first ?? MadeUpTrip.name() else { return nil }
        name = first
        journeys = Dictionary(names.map { ($0, JourneyTracker(tripName: $0)) }) { first, _ in first }
        state = AppState(trips: names, shipments: shipments, options: options, size: size, now: MadeUpTrip.time(now))
    }

    static func options(_ change: (inout AppOptions) -> Void = { _ in }) -> AppOptions {
        var options = AppOptions()
        options.endpoint = "127.0.0.1:50051"
        options.cancelling = .available
        options.themeName = "harbour-dark"
        change(&options)
        return options
    }

    mutating func send(_ event: AppEvent) {
        let front = state.page?.name
        defer { if state.page?.name != front { tick(at: state.now) } }
        for effect in state.update(event) {
            if case .endNotice(let number, let seconds) = effect {
                noticeEnds.append((number, seconds))
            } else {
                effects.append(effect)
            }
            if case .copy(let text) = effect { send(.copied(text, wasSent: true)) }
        }
    }

    mutating func tick(_ clock: String) { tick(at: MadeUpTrip.time(clock)) }

    mutating func tick(at time: Date) { send(.tick(time, state.page.flatMap { journey($0.name, at: time) })) }

    /// Returns the tracker of a trip's session, advanced to a time; nil if the trip has no session.
    private mutating func journey(_ name: TripName, at time: Date) -> JourneyTracker? {
        journeys[name]?.advance(to: time)
        return journeys[name]
    }

    /// Sends an update of a trip's model to the screen.
    private mutating func tell(_ kind: TripUpdate.Kind, of name: TripName, at time: Date) {
        let update = TripUpdate(name: name, time: time, kind: kind)
        journeys[name]?.observe(update)
        if let journey = journey(name, at: time) { send(.trip(update, journey)) }
    }

    /// Sends an answer about a trip to the screen at a time of day.
    mutating func answer(_ clock: String, _ make: (TripName, Date) -> Trip, of id: String? = nil) {
        answer(at: MadeUpTrip.time(clock), make, of: id)
    }

    private mutating func answer(at time: Date, _ make: (TripName, Date) -> Trip, of id: String? = nil) {
        let target = id.flatMap { MadeUpTrip.name($0) } ?? name
        let trip = make(target, time)
        let changed = TripPropertyFields(from: target == name ? known : nil, to: trip)
        if target == name { known = trip }
        tick(at: time)
        tell(.trip(trip, changed: changed), of: target, at: time)
        tick(at: time)
        if trip.status.isFinal { tell(.ended(trip.status), of: target, at: time) }
    }

    mutating func fail(_ clock: String, _ error: FleetEngineError, retryIn seconds: Double, attempt: Int) {
        let failure = PollFailure(
            error: error, errorClass: error.errorClass(tripWasSeen: known != nil), retryInSeconds: seconds, attempt: attempt,
            serverWasHeard: known != nil)
        tick(clock)
        tell(.failure(failure), of: name, at: MadeUpTrip.time(clock))
    }

    mutating func tell(_ failure: PollFailure, at clock: String, of id: String? = nil) {
        tick(clock)
        tell(.failure(failure), of: id.flatMap { MadeUpTrip.name($0) } ?? name, at: MadeUpTrip.time(clock))
    }

    /// Tells the screen that the connection works again.
    mutating func recover(_ clock: String, afterSeconds seconds: Double) {
        tick(clock)
        tell(.recovered(afterSeconds: seconds), of: name, at: MadeUpTrip.time(clock))
    }

    mutating func press(_ keys: String) {
        do throws(KeyScript.UnknownKey) {
            for key in try KeyScript(keys).keys { send(.key(key)) }
        } catch {
            Issue.record(error)
        }
    }
}

// MARK: - The course of the ride

extension Scenario {
    /// Assigns the trip, and sends the car on its way. The promised arrival is 14:12.
    mutating func approach() {
        answer("14:01:55", { name, _ in MadeUpTrip.new(name) })
        answer("14:02:10") { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 4_300, arrival: "14:12:00", speed: 0, at: time)
            trip.status = .new
            return trip
        }
        drive(from: "14:02:20", to: "14:04:00", meters: 4_300...4_300) { name, meters, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: meters, arrival: "14:12:00", speed: 0, at: time)
            trip.status = .new
            return trip
        }
        drive(from: "14:04:02", to: "14:07:00", meters: 1_900...4_300) {
            MadeUpTrip.approaching($0, metersToGo: $1, arrival: "14:12:00", at: $2)
        }
    }

    /// Sends an answer every ten seconds. The remaining distance decreases at a constant rate.
    mutating func drive(from start: String, to end: String, meters: ClosedRange<Double>, _ make: (TripName, Double, Date) -> Trip) {
        let (first, last) = (MadeUpTrip.time(start), MadeUpTrip.time(end))
        let span = max(1, last.timeIntervalSince(first))
        for offset in stride(from: 0, through: span, by: 10) {
            let toGo = meters.upperBound - (meters.upperBound - meters.lowerBound) * offset / span
            answer(at: first.addingTimeInterval(offset)) { make($0, toGo, $1) }
        }
    }

    /// Moves the car to 1.8 km before the pickup. Its estimated arrival is a minute later than promised.
    mutating func comeNearer() {
        approach()
        answer("14:07:02") { MadeUpTrip.approaching($0, metersToGo: 1_890, arrival: "14:13:00", at: $1) }
        answer("14:07:12") { MadeUpTrip.approaching($0, metersToGo: 1_804, arrival: "14:13:00", at: $1) }
    }

    mutating func arrive() {
        comeNearer()
        drive(from: "14:07:20", to: "14:13:00", meters: 20...1_740) {
            MadeUpTrip.approaching($0, metersToGo: $1, arrival: "14:13:00", at: $2)
        }
        answer("14:13:08") { MadeUpTrip.waiting($0, at: $1) }
    }

    mutating func ride() {
        arrive()
        drive(from: "14:13:18", to: "14:13:40", meters: 0...0) { name, _, time in MadeUpTrip.waiting(name, at: time) }
        drive(from: "14:13:50", to: "14:16:00", meters: 1_100...1_780) { MadeUpTrip.ridingToStop($0, metersToGo: $1, at: $2) }
    }

    mutating func rideOn(until end: String = "14:25:40") {
        ride()
        drive(from: "14:16:10", to: "14:21:50", meters: 10...1_050) { MadeUpTrip.ridingToStop($0, metersToGo: $1, at: $2) }
        drive(from: "14:22:00", to: "14:22:30", meters: 0...0) { name, _, time in
            var trip = MadeUpTrip.ridingToStop(name, metersToGo: 0, at: time)
            trip.status = .arrivedAtIntermediateDestination
            return trip
        }
        guard end > "14:22:40" else { return }
        drive(from: "14:22:40", to: "14:25:40", meters: 1_550...2_620) { MadeUpTrip.ridingToStation($0, metersToGo: $1, at: $2) }
    }

    mutating func finish() {
        rideOn()
        drive(from: "14:25:50", to: "14:30:50", meters: 100...1_500) { MadeUpTrip.ridingToStation($0, metersToGo: $1, at: $2) }
        answer("14:31:06", { name, _ in MadeUpTrip.complete(name) })
    }
}

// MARK: - By name

extension Scenario {
    static let names =
        [
            "connecting", "unreachable", "no-such-trip", "looking", "approaching", "quiet", "not-live", "offline", "stopped", "off-route",
            "others-first", "jam", "here", "riding", "at-stop", "last-leg", "complete", "cancelled", "several", "map",
            "order-looking", "order-to-shop", "order-at-shop", "order-on-way", "order-delivered",
        ] + shipmentNames

    static let expired = FleetEngineError(code: .unauthenticated, message: "token expired 14:07:28")
    static let refused = FleetEngineError(code: .unavailable, message: "connection refused", origin: .network)
    static let missing = FleetEngineError(code: .notFound, message: "no trip of that name")

    /// The scenarios that were already played with the standard options. They are kept, because playing is slow.
    private static let played = Mutex<[String: Scenario]>([:])

    /// Returns the state of the scenario with this name.
    /// - Parameter options: the options of the app; nil for the standard options.
    static func named(_ word: String, size: Size, options: AppOptions? = nil) -> Scenario? {
        if let options { return new(word, size: size, options: options) }
        let key = "\(word) \(size.columns)x\(size.rows)"
        if let known = played.withLock({ $0[key] }) { return known }
        let scenario = new(word, size: size, options: Self.options())
        played.withLock { $0[key] = scenario }
        return scenario
    }

    private static func new(_ word: String, size: Size, options: AppOptions) -> Scenario? {
        var options = options
        if word == "map" {
            options.mode = .map
            options.center = MadeUpTrip.pickup
        }
        if shipmentNames.contains(word) { return shipment(word, size: size, options: options) }
        let trips = word == "several" ? ["7f3a-northgate", "groceries", "parcel-00418"] : ["7f3a-northgate"]
        guard var scenario = Scenario(size: size, options: options, trips: trips) else { return nil }
        if word.hasPrefix("order-") { scenario.playOrder(word) } else { scenario.play(word) }
        return scenario
    }

    private mutating func play(_ word: String) {
        switch word {
        case "connecting": tick("14:01:53")
        case "unreachable":
            fail("14:01:58", Self.refused, retryIn: 8, attempt: 2)
            tick("14:02:02")
        case "no-such-trip":
            fail("14:01:58", Self.missing, retryIn: 30, attempt: 1)
            tick("14:02:02")
        case "looking":
            answer("14:01:55", { name, _ in MadeUpTrip.new(name) })
            tick("14:03:18")
        case "approaching":
            comeNearer()
            tick("14:07:15")
        case "here":
            arrive()
            drive(from: "14:13:18", to: "14:13:48", meters: 0...0) { name, _, time in MadeUpTrip.waiting(name, at: time) }
            tick("14:13:50")
        case "riding":
            ride()
            tick("14:16:04")
        case "at-stop":
            rideOn(until: "14:22:30")
            tick("14:22:35")
        case "last-leg":
            rideOn()
            tick("14:25:42")
        case "complete": finish()
        case "several": playSeveral()
        case "map": tick("14:07:15")
        default: playTrouble(word)
        }
    }

    private mutating func playTrouble(_ word: String) {
        comeNearer()
        switch word {
        case "quiet": tick("14:07:39")
        case "not-live":
            answer("14:08:20") { name, _ in
                MadeUpTrip.approaching(name, metersToGo: 1_804, arrival: "14:13:00", at: MadeUpTrip.time("14:07:12"))
            }
            tick("14:08:25")
        case "offline":
            fail("14:07:31", Self.refused, retryIn: 27, attempt: 3)
            tick("14:07:54")
        case "overdue":
            fail("14:13:10", Self.refused, retryIn: 27, attempt: 9)
            tick("14:13:40")
        case "stopped":
            fail("14:07:31", Self.expired, retryIn: 30, attempt: 1)
            tick("14:07:54")
        case "off-route": playDetour()
        case "others-first": playOthers()
        case "jam":
            answer("14:07:12") { name, time in
                var trip = MadeUpTrip.approaching(name, metersToGo: 1_804, arrival: "14:13:00", at: time)
                trip.activeRoute = MadeUpTrip.jammed(3_000...3_800)
                return trip
            }
            tick("14:07:15")
        case "cancelled":
            answer("14:07:30") { name, time in
                var trip = MadeUpTrip.approaching(name, metersToGo: 1_700, arrival: "14:13:00", at: time)
                trip.status = .canceled
                return trip
            }
        default: break
        }
    }

    private mutating func playDetour() {
        for (clock, east) in [("14:07:22", -1_000.0), ("14:07:32", -1_090)] {
            answer(clock) { name, time in
                var trip = MadeUpTrip.approaching(name, metersToGo: 1_900, arrival: "14:13:00", at: time)
                trip.lastLocation?.coordinate = MadeUpTrip.place(east, 900)
                trip.lastLocation?.headingDegrees = 270
                return trip
            }
        }
        tick("14:07:35")
    }

    /// Plays a shared ride, in which the car takes another rider to the drop-off first.
    private mutating func playOthers() {
        answer("14:07:20") { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 1_800, arrival: "14:16:00", at: time)
            trip.activeRoute = RouteLine(MadeUpTrip.toOthers)
            trip.lastLocation = MadeUpTrip.location(on: MadeUpTrip.toOthers, metersToGo: 1_600, at: time)
            trip.remainingDistanceMeters = 1_600
            let others = TripWaypoint(
                coordinate: MadeUpTrip.place(-1_500, 200), tripID: "somebody-else", type: .dropoff, path: RouteLine(MadeUpTrip.toOthers),
                distanceMeters: 1_820)
            trip.remainingWaypoints[0] = MadeUpTrip.waypoint(name, .pickup, MadeUpTrip.fromOthers, eta: trip.pickupTime)
            trip.remainingWaypoints.insert(others, at: 0)
            return trip
        }
        tick("14:07:22")
    }

    private mutating func playSeveral() {
        comeNearer()
        answer(
            "14:07:12",
            { name, time in
                var trip = MadeUpTrip.approaching(name, metersToGo: 3_900, arrival: "14:21:00", at: time)
                trip.attributes = ["title": "Groceries"]
                return trip
            }, of: "groceries")
        answer(
            "14:07:12",
            { name, _ in
                var trip = MadeUpTrip.new(name, stops: [])
                trip.attributes = ["title": "Parcel 00418"]
                return trip
            }, of: "parcel-00418")
        tick("14:07:15")
    }
}
