import ConsumerMap
import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Routing
import TerminalCanvas
import Testing
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("The driver's screen")
struct DriveScreenTests {
    private static let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
    private static let sizes = [
        Size(columns: 80, rows: 24), Size(columns: 120, rows: 40), Size(columns: 40, rows: 15), Size(columns: 20, rows: 3),
    ]

    private func text(_ shift: MadeUpShift) -> String { AppView().canvas(shift.state, theme: Self.theme).text() }

    private func isTold(_ command: DriverCommand, _ shift: MadeUpShift) -> Bool { shift.effects.contains(.tell(command)) }

    @Test("at every size, each state shows what comes next and what was sent", arguments: sizes)
    func states(size: Size) throws {
        var shift = try MadeUpShift(size: size)
        let isSmall = size.rows == 3
        func expect(_ large: String..., small: String, _ shift: MadeUpShift, line: Int = #line) {
            let text = text(shift)
            for words in isSmall ? [small] : large { #expect(text.contains(words), "\(line): \(words) in\n\(text)") }
        }
        expect("STARTING", small: "Starting", shift)
        shift.wait()
        expect("WAITING FOR A TRIP", "last report 3 s ago", "online", small: "online 3 s", shift)
        try shift.offer()
        expect("NEW TRIP", "4 km", "a accept", "x decline", small: "New trip 4 km", shift)
        try shift.approach()
        expect("PICKUP IN", "14:07", "52 km/h ∙ limit 50", "3 km", small: "Pickup 5 min", shift)
        shift.arrive()
        expect("YOU ARE AT THE PICKUP", "v arrived", small: "v: arrived", shift)
        try shift.stand()
        shift.tick(after: 42)
        expect("WAITING FOR THE RIDER", "n go on", small: "Pickup 0:42", shift)
    }

    @Test("a courier's screen speaks of an order and its shop")
    func order() throws {
        var shift = try MadeUpShift { options, _ in options.tripKind = .order }
        shift.wait()
        try shift.offer()
        #expect(text(shift).contains("NEW ORDER"), "\(text(shift))")
        try shift.approach()
        #expect(text(shift).contains("SHOP IN") && shift.state.map.labels.pickup == "shop", "\(text(shift))")
        shift.send(.driver(.status(try MadeUpShift.trip("t1").name, .enrouteToPickup), at: shift.state.now))
        #expect(shift.state.drive?.log.events.last?.content == .note("On the way to the shop"))
        shift.arrive()
        #expect(text(shift).contains("YOU ARE AT THE SHOP"), "\(text(shift))")
        try shift.stand()
        #expect(text(shift).contains("AT THE SHOP") && !text(shift).contains("WAITING FOR THE RIDER"), "\(text(shift))")
    }

    @Test("the next manoeuvre and its street are on the screen until the car is there", arguments: sizes)
    func turns(size: Size) throws {
        var shift = try MadeUpShift(size: size)
        shift.wait()
        let steps = [
            RouteStep(maneuver: .depart, roadName: "Parkweg", offsetMeters: 0, lengthMeters: 1_240),
            RouteStep(maneuver: .left, roadName: "Rue \u{1b}[31mGrimaldi", offsetMeters: 1_240, lengthMeters: 500),
        ]
        try shift.approach(steps: steps)
        if size.rows > 3 {
            #expect(text(shift).contains("in 250 m left") && text(shift).contains("into Rue [31mGrimaldi"), "\(text(shift))")
        }
        shift.arrive()
        #expect(!text(shift).contains("250 m left"))
        shift = try MadeUpShift(size: size)
        try shift.approach(steps: [])
        #expect(!text(shift).contains("in 250"))
    }

    @Test("while the car waits at the pickup the times of the later stops move with the wait")
    func waiting() throws {
        var shift = try MadeUpShift()
        shift.wait()
        try shift.approach()
        let pickup = shift.shift.since
        try shift.stand(dropoffAt: pickup.addingTimeInterval(600))
        func dropoff() -> String? { text(shift).split(separator: "\n").first { $0.contains("Drop-off") }.map { String($0.suffix(8)) } }
        let first = dropoff()
        #expect(first?.contains("14:1") == true, "\(text(shift))")
        shift.tick(after: 30 * 60)
        #expect(dropoff()?.contains("14:4") == true, "\(text(shift))")
        shift.tick(after: 60 * 60)
        #expect(dropoff()?.contains("15:4") == true, "\(text(shift))")
    }

    @Test("on the way, the later stops move with the next one: two stops that are minutes apart never have the same time")
    func laterStops() throws {
        var shift = try MadeUpShift()
        shift.wait()
        try shift.approach()
        var trip = try MadeUpShift.trip("t1", .enrouteToPickup)
        trip.remainingWaypoints = [
            MadeUpTrip.waypoint(trip.name, .pickup, MadeUpTrip.approach, eta: MadeUpTrip.time("14:05:00")),
            MadeUpTrip.waypoint(trip.name, .dropoff, MadeUpTrip.toStation, eta: MadeUpTrip.time("14:07:00")),
        ]
        shift.tell { state, _ in state.trip = trip }
        let rows = text(shift).split(separator: "\n").map(String.init)
        #expect(rows.contains { $0.contains("Pickup") && $0.contains("14:07") }, "\(text(shift))")
        #expect(rows.contains { $0.contains("Drop-off") && $0.contains("14:09") }, "\(text(shift))")
    }

    @Test("with two riders on board, each drop-off is shown once, with its name, and the first rider's pickup keeps its time")
    func sharedCar() throws {
        var shift = try MadeUpShift(size: Size(columns: 120, rows: 40))
        shift.wait()
        try shift.approach()
        try shift.stand()
        var first = try MadeUpShift.trip("t1", .enrouteToDropoff)
        var second = try MadeUpShift.trip("t2", .enrouteToPickup)
        second.attributes["dropoff_name"] = "Zoo"
        second.dropoffPoint = MadeUpTrip.place(2_000, 2_500)
        let ends = [
            TripWaypoint(coordinate: MadeUpTrip.station, tripID: "t1", type: .dropoff),
            TripWaypoint(coordinate: MadeUpTrip.place(2_000, 2_500), tripID: "t2", type: .dropoff),
        ]
        let pickup = TripWaypoint(coordinate: MadeUpTrip.pickup, tripID: "t2", type: .pickup)
        first.remainingWaypoints = [pickup] + ends.prefix(1)
        shift.tell { [first, second] state, _ in
            (state.trip, state.later, state.stops) = (second, [first], [pickup] + ends)
            state.phase = .driving(TripStop(type: .pickup, coordinate: MadeUpTrip.pickup), isThere: false)
        }
        #expect(text(shift).contains("Drop-off  Northgate Station") && text(shift).contains("Drop-off  Zoo"), "\(text(shift))")
        #expect(!text(shift).contains("NEXT RIDER"), "\(text(shift))")
        second.status = .enrouteToDropoff
        shift.tell(after: 180) { [first, second] state, _ in
            (state.trip, state.later, state.stops) = (first, [second], ends)
            state.phase = .driving(TripStop(type: .dropoff, coordinate: MadeUpTrip.station), isThere: false)
        }
        let rows = text(shift).split(separator: "\n").map(String.init)
        #expect(rows.contains { $0.contains("Rider on board") && $0.contains("14:02") }, "\(text(shift))")
        #expect(rows.count { $0.contains("Drop-off  Northgate Stati") } == 1, "\(text(shift))")
        #expect(rows.count { $0.contains("Drop-off  Zoo") } == 1, "\(text(shift))")
        #expect(!text(shift).contains("another rider") && !text(shift).contains("NEXT RIDER"), "\(text(shift))")
    }

    @Test("stops whose coordinates the server has rounded keep their names, and each is named by the kind of its own trip")
    func roundedStops() throws {
        var shift = try MadeUpShift(size: Size(columns: 120, rows: 40))
        shift.wait()
        let ride = try MadeUpShift.trip("t1", .enrouteToDropoff)
        var order = try MadeUpShift.trip("t2", .enrouteToPickup)
        (order.pickupPoint, order.dropoffPoint) = (MadeUpTrip.place(2_000, 2_500), MadeUpTrip.place(2_600, 2_500))
        order.intermediateDestinations = []
        order.attributes = ["kind": "order", "pickup_name": "Bakery", "dropoff_name": "Zoo"]
        func stop(_ type: WaypointType, _ id: String, _ place: Coordinate) -> TripWaypoint {
            func rounded(_ degrees: Double) -> Double { (degrees * 10_000).rounded() / 10_000 }
            let coordinate = Coordinate(latitude: rounded(place.latitude), longitude: rounded(place.longitude))
            return TripWaypoint(coordinate: coordinate, tripID: id, type: type)
        }
        let stops = [
            stop(.dropoff, "t1", MadeUpTrip.station), stop(.pickup, "t2", MadeUpTrip.place(2_000, 2_500)),
            stop(.unknown, "t3", MadeUpTrip.place(0, 2_500)), stop(.dropoff, "t2", MadeUpTrip.place(2_600, 2_500)),
        ]
        shift.tell { state, _ in
            (state.trip, state.later, state.stops) = (ride, [order], stops)
            state.phase = .driving(TripStop(type: .dropoff, coordinate: MadeUpTrip.station), isThere: false)
        }
        let rows = text(shift).split(separator: "\n").map(String.init)
        for words in ["Drop-off  Northgate Stati", "Shop  Bakery", "Drop-off  Zoo"] {
            #expect(rows.count { $0.contains(words) } == 1, "\(words) in\n\(text(shift))")
        }
        #expect(text(shift).contains("Stop of another rider") && !text(shift).contains("Next stop"), "\(text(shift))")
    }

    @Test("a stop has the name of the trip's nearest stop of its type, and no name if that stop has none")
    func nearStops() throws {
        var shift = try MadeUpShift(size: Size(columns: 120, rows: 40))
        shift.wait()
        var trip = try MadeUpShift.trip("t1", .enrouteToPickup)
        let vias = [MadeUpTrip.place(15, 0), MadeUpTrip.place(1_400, 380), MadeUpTrip.place(1_400, 400)]
        trip.intermediateDestinations = vias
        trip.attributes = ["pickup_name": "Home", "stop_2_name": "Mill Lane", "dropoff_name": "Zoo"]
        func stop(_ type: WaypointType, _ place: Coordinate) -> TripWaypoint { TripWaypoint(coordinate: place, tripID: "t1", type: type) }
        let between = vias.map { stop(.intermediate, $0) }
        let stops = [stop(.pickup, MadeUpTrip.pickup)] + between + [stop(.dropoff, MadeUpTrip.station)]
        shift.tell { [trip] state, _ in
            (state.trip, state.stops) = (trip, stops)
            state.phase = .driving(TripStop(type: .pickup, coordinate: MadeUpTrip.pickup), isThere: false)
        }
        let rows = text(shift).split(separator: "\n").map(String.init)
        for words in ["Pickup  Home", "Stop  Mill Lane"] {
            #expect(rows.count { $0.contains(words) } == 1, "\(words) in\n\(text(shift))")
        }
        #expect(!text(shift).contains("Stop  Home"), "\(text(shift))")
    }

    @Test("a stop of unknown type at the current stop is this stop, and it is the next stop while the route is not found")
    func unknownStop() throws {
        var shift = try MadeUpShift(size: Size(columns: 120, rows: 40))
        shift.wait()
        let trip = try MadeUpShift.trip("t1", .enrouteToDropoff)
        shift.tell { state, _ in
            state.trip = trip
            state.stops = [TripWaypoint(coordinate: MadeUpTrip.station, tripID: "t1", type: .unknown)]
            state.phase = .driving(TripStop(type: .dropoff, coordinate: MadeUpTrip.station), isThere: false)
        }
        #expect(text(shift).contains("Drop-off  Northgate") && !text(shift).contains("Stop  Northgate"), "\(text(shift))")
        shift.tell { state, _ in state.phase = .waiting }
        #expect(text(shift).contains("Next stop  Northgate"), "\(text(shift))")
    }

    @Test("all sizes can be drawn in every state, at exactly their size")
    func everySize() throws {
        let view = AppView()
        var shift = try MadeUpShift()
        var states = [shift.state]
        shift.wait()
        states.append(shift.state)
        try shift.offer()
        states.append(shift.state)
        try shift.approach()
        states.append(shift.state)
        shift.tell { shift, now in
            shift.reports.refusal = FleetEngineError(code: .notFound, message: "no vehicle")
            shift.reports.refusedSince = now
        }
        states.append(shift.state)
        try shift.press("?")
        states.append(shift.state)
        for var state in states {
            for rows in [1, 2, 3, 5, 9, 10, 15, 16, 24, 32, 60] {
                for columns in [1, 7, 19, 20, 30, 39, 40, 59, 60, 80, 100, 160] {
                    let size = Size(columns: columns, rows: rows)
                    _ = state.update(.resize(size))
                    #expect(view.canvas(state, theme: Self.theme).size == size)
                }
            }
        }
    }

    @Test("with the ASCII painter, the screen has only ASCII, and nothing is lost")
    func ascii() throws {
        var shift = try MadeUpShift { options, _ in options.painters = [.ascii] }
        shift.wait()
        try shift.approach()
        let text = text(shift)
        #expect(text.unicodeScalars.allSatisfy { $0.isASCII })
        for words in ["PICKUP IN", "5 min", "52 km/h / limit 50", "last report", "* Pickup"] {
            #expect(text.contains(words), "\(words) in\n\(text)")
        }
    }

    @Test("each key gives its command if it makes sense, and otherwise says why not")
    func keys() throws {
        var shift = try MadeUpShift()
        shift.wait()
        try shift.press("a")
        #expect(text(shift).contains("No trip is being offered."))
        try shift.press("n")
        #expect(text(shift).contains("There is no trip."))
        try shift.press("g")
        #expect(text(shift).contains("You are in the car; press c to see it."))
        try shift.press("o")
        #expect(isTold(.setOnline(false), shift))
        try shift.offer()
        let name = try MadeUpShift.trip("t1").name
        try shift.press("x")
        #expect(shift.effects.contains(.decline(name)))
        #expect(!isTold(.decline(name), shift))
        shift.send(.declineResult(.failed("The provider says no."), for: name))
        #expect(text(shift).contains("Not declined: The provider says no."))
        try shift.press("a")
        #expect(isTold(.accept(name), shift))
        try shift.approach()
        try shift.press("n")
        #expect(text(shift).contains("Report your arrival first (v)."))
        shift.arrive()
        try shift.press("v")
        #expect(isTold(.arrived, shift))
        try shift.stand()
        try shift.press("v")
        #expect(text(shift).contains("Press n to continue."))
        try shift.press("n")
        #expect(isTold(.goOn, shift))
        try shift.press("q")
        #expect(!shift.effects.contains(.quit(code: 0)) && text(shift).contains("A trip is under way. Press q again to end the shift."))
        try shift.press("q")
        #expect(shift.effects.last == .quit(code: 0))
    }

    @Test("a shift without a trip ends with the first key press, and Ctrl-C always does", arguments: [("q", false), ("ctrl-c", true)])
    func quit(key: String, hasTrip: Bool) throws {
        var shift = try MadeUpShift()
        shift.wait()
        if hasTrip { try shift.approach() }
        try shift.press(key)
        #expect(shift.effects.last == .quit(code: 0))
    }

    @Test("before the first position, the map cannot be moved, so the car is on it later", arguments: ["+", "left", "f"])
    func earlyKeys(keys: String) throws {
        var shift = try MadeUpShift()
        try shift.press(keys)
        #expect(text(shift).contains("There is nothing on the map yet."), "\(text(shift))")
        shift.wait()
        #expect(shift.state.map.isAllowCameraAutoUpdate && shift.state.window.contains(MadeUpTrip.approach.coordinates[0]))
    }

    @Test("an arrival far from the stop needs a second press of the key")
    func farAway() throws {
        var shift = try MadeUpShift()
        shift.wait()
        try shift.approach()
        try shift.press("v")
        #expect(text(shift).contains("Press v again to report your arrival"))
        #expect(!isTold(.arrived, shift))
        try shift.press("f")
        try shift.press("v")
        #expect(!isTold(.arrived, shift))
        try shift.press("v")
        #expect(isTold(.arrived, shift))
    }

    @Test("when the provider confirms, the offer disappears and the driver is informed")
    func declined() throws {
        var shift = try MadeUpShift()
        shift.wait()
        try shift.offer()
        let name = try MadeUpShift.trip("t1").name
        try shift.press("x")
        shift.send(.declineResult(.canceled, for: name))
        #expect(isTold(.decline(name), shift))
        var without = try MadeUpShift { _, drive in drive.declining = .unavailable("No provider is set.") }
        without.wait()
        try without.offer()
        try without.press("x")
        #expect(text(without).contains("No provider is set."))
        #expect(!without.effects.contains(.decline(name)))
    }

    @Test("if others end a trip, the screen rings and says who did; this stays readable while the car waits again")
    func endedByOthers() throws {
        let ends: [(TripOutcome, String)] = [
            (.canceled, "The rider or the provider cancelled the trip"), (.reassigned, "The provider removed the trip from this car"),
        ]
        for (outcome, words) in ends {
            var shift = try MadeUpShift()
            shift.wait()
            let ended = DrivenTrip(name: try MadeUpShift.trip("t1").name, outcome: outcome)
            shift.send(.driver(.ended(ended), at: shift.state.now))
            shift.send(.driver(.waitingForTrip, at: shift.state.now))
            #expect(text(shift).contains(words))
            #expect(shift.effects.contains { if case .alert(_, words) = $0 { true } else { false } })
        }
    }

    @Test("a change of the trip before its next status is shown, and rings")
    func changedByOthers() throws {
        var shift = try MadeUpShift()
        shift.wait()
        let name = try MadeUpShift.trip("t1").name
        shift.send(.driver(.notSent(name, .enrouteToDropoff, found: .new), at: shift.state.now))
        #expect(text(shift).contains("Status not sent: the trip changed"))
        #expect(shift.effects.contains { if case .alert(_, "Status not sent: the trip changed") = $0 { true } else { false } })
    }

    @Test("an event calls a report refused only if the server answered")
    func failedReport() {
        func words(_ origin: FleetEngineError.Origin) -> String? {
            let error = FleetEngineError(code: .unavailable, message: "away", origin: origin)
            return TripDriverEvent.reportRefused(error, retryAfterSeconds: 5.4).words(kind: .ride) { _ in "" }
        }
        #expect(words(.network) == "The server cannot be reached (away)")
        #expect(words(.server) == "Report refused: UNAVAILABLE: away")
    }

    @Test("an outage is one event, whatever fails and however long it waits")
    func outage() throws {
        var shift = try MadeUpShift()
        shift.wait()
        let error = FleetEngineError(code: .unavailable, message: "refused", origin: .network)
        let before = shift.state.loggedEvents.count
        shift.send(.driver(.reportRefused(error, retryAfterSeconds: 5), at: shift.state.now))
        for seconds in [6.0, 13, 29] { shift.send(.driver(.retrying(.fleetEngine(error), afterSeconds: seconds), at: shift.state.now)) }
        #expect(shift.state.loggedEvents.dropFirst(before).map { shift.state.words($0) } == ["The server cannot be reached (refused)"])
        shift.send(.driver(.recovered(afterSeconds: 40), at: shift.state.now))
        shift.send(.driver(.retrying(.fleetEngine(error), afterSeconds: 5), at: shift.state.now))
        #expect(shift.state.loggedEvents.count == before + 3)
    }

    @Test("an offer that is taken back is announced, and rings; one that the driver declined is not")
    func withdrawn() throws {
        let name = try MadeUpShift.trip("t1").name
        let words = "The trip was withdrawn before it began"
        func isRung(_ shift: MadeUpShift) -> Bool { shift.effects.contains { if case .alert(_, words) = $0 { true } else { false } } }
        for declines in [false, true] {
            var shift = try MadeUpShift()
            shift.wait()
            try shift.offer()
            if declines {
                try shift.press("x")
                shift.send(.declineResult(.canceled, for: name))
            }
            shift.send(.driver(.withdrawn(name), at: shift.state.now))
            shift.tell { state, _ in state.offers = [] }
            shift.send(.driver(.waitingForTrip, at: shift.state.now))
            #expect(text(shift).contains(words) != declines)
            #expect(isRung(shift) != declines)
        }
    }

    @Test("an offer rings once")
    func ring() throws {
        var shift = try MadeUpShift()
        shift.wait()
        try shift.offer()
        shift.tell()
        shift.tell()
        #expect(shift.effects.count { if case .alert(_, "A trip is offered") = $0 { true } else { false } } == 1)
        #expect(text(shift).contains("A trip is offered, pickup 4 km away"))
    }

    @Test("refused reports are shown across the screen, with their meaning and what to do")
    func refused() throws {
        var shift = try MadeUpShift()
        shift.wait()
        shift.tell { shift, now in
            shift.reports.refusal = FleetEngineError(code: .notFound, message: "no vehicle")
            shift.reports.refusedSince = now
        }
        shift.tick(after: 42)
        #expect(text(shift).contains("The server does not know car-7."))
        #expect(text(shift).contains("no report ∙ 42 s"))
        #expect(text(shift).contains("refused: NOT_FOUND"))
        shift.tell { shift, _ in shift.reports.refusal = FleetEngineError(code: .unavailable, message: "refused", origin: .network) }
        // The screen must show the time of the last accepted report, not the time of the first refused report.
        #expect(text(shift).contains("Riders still see the car where it was at ") && !text(shift).contains("was at 14:02:05"))
        shift.tell { shift, now in
            shift.reports.refusal = nil
            shift.reports.refusedSince = nil
            shift.reports.takenAt = now
        }
        #expect(!text(shift).contains("Riders see"))
    }

    @Test("a lost position is reported, and the number is no longer live")
    func lostPosition() throws {
        var shift = try MadeUpShift()
        shift.wait()
        try shift.approach()
        shift.tick(after: 60)
        #expect(text(shift).contains("no position for 1 min"))
        #expect(text(shift).contains("PICKUP IN ABOUT"))
        try shift.approach(meters: 4_000)
        shift.tick(after: 20)
        let eta = try #require(shift.state.driveWords?.eta)
        #expect(eta.heading == "PICKUP IN ABOUT" && eta.big == "1" && eta.short == "Pickup 1 min", "\(eta)")
    }

    @Test("positions that are too inaccurate are not called missing")
    func inaccuratePosition() throws {
        var shift = try MadeUpShift()
        shift.wait()
        shift.send(.driver(.navigation(.didLoseLocation(afterSeconds: 13)), at: shift.state.now))
        #expect(text(shift).contains("No accurate position for 13 s"))
        shift.send(.driver(.navigation(.didRegainLocation(afterSeconds: 20)), at: shift.state.now))
        #expect(text(shift).contains("The position is accurate again after 20 s"))
    }

    @Test("a change of the suggested lighting suggests a theme")
    func lighting() throws {
        var shift = try MadeUpShift()
        for (mode, background) in [(LightingMode.lowLight, BackgroundTone.dark), (.normal, .light)] {
            shift.send(.driver(.navigation(.didChangeSuggestedLightingMode(mode)), at: MadeUpTrip.time("18:00:00")))
            #expect(shift.effects.contains(.suggestTheme(background)))
        }
    }

    @Test("the help lists the driver's keys, but not those of riders")
    func help() throws {
        var shift = try MadeUpShift(size: Size(columns: 100, rows: 60))
        shift.wait()
        try shift.press("?")
        let text = text(shift)
        #expect(text.contains("SHIFT") && text.contains("end the shift and go offline"))
        #expect(!text.contains("cancel trip") && !text.contains("next trip"))
    }

    @Test("nothing is redrawn while only the time of a fix changes")
    func calm() throws {
        var shift = try MadeUpShift()
        shift.wait()
        let before = FrameSignature(shift.state)
        shift.tell(after: 0.1)
        #expect(FrameSignature(shift.state) == before)
    }
}
