import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import Testing

@testable import FleetEngineCore

@Suite("The consumer's view of a shipment")
struct TrackingTests {
    /// The values of the tracking information that depend on the vehicle.
    enum Element: String, CaseIterable, Sendable {
        case route, arrival, completion, distance, count, location
    }

    /// A visibility rule, and whether it shows a value for a task. The task is at the second of three stops.
    struct Rule: Sendable, CustomTestStringConvertible {
        let rule: TrackingVisibility?
        let shows: Bool
        var testDescription: String { "\(rule.map { "\($0)" } ?? "default") \(shows)" }
    }

    /// Returns a world with a van at the centre. The tasks `a` and `b` are at the first stop, `c` at the second, and `d` at the third.
    private static func world(shareWithin: Int = 5) throws -> World {
        var world = World(shareWithin: shareWithin)
        try world.createVan()
        for id in ["a", "b", "c", "d"] { try world.createTask(id) }
        try world.setStops([.at(0, ["a", "b"]), .at(1, ["c"]), .at(2, ["d"])])
        return world
    }

    private static func shown(_ answer: TaskTrackingAnswer) -> Set<Element> {
        let info = answer.info
        let elements: [(Element, Bool)] = [
            (.route, info.route != nil), (.arrival, info.estimatedArrivalTime != nil), (.completion, info.estimatedCompletionTime != nil),
            (.distance, info.remainingDistanceMeters != nil), (.count, info.remainingStopCount != nil),
            (.location, answer.vehicleLocation != nil),
        ]
        return Set(elements.filter(\.1).map(\.0))
    }

    private func seconds(_ time: Date?, _ world: World) throws -> Double { try #require(time).timeIntervalSince(world.now).rounded() }

    @Test("stops, distance and times include all legs, and all tasks at earlier stops")
    func sums() throws {
        let world = try Self.world()
        let (first, third) = (try world.track("p-b").info, try world.track("p-d").info)
        #expect(first.remainingStopCount == 1 && first.remainingDistanceMeters?.rounded() == 1_000)
        #expect(try seconds(first.estimatedArrivalTime, world) == 100)
        #expect(try seconds(first.estimatedCompletionTime, world) == 100 + 120)
        #expect(try seconds(world.track("p-a").info.estimatedCompletionTime, world) == 100 + 60)
        #expect(third.remainingStopCount == 3 && third.remainingDistanceMeters?.rounded() == 3_000)
        #expect(try seconds(third.estimatedArrivalTime, world) == 100 + 120 + 100 + 60 + 100)
        #expect(try seconds(third.estimatedCompletionTime, world) == 480 + 60)
        let route = try #require(third.route)
        #expect(route.coordinates.first == World.centre && route.coordinates.last == World.place(east: 3_000))
    }

    @Test("the driver's own route and figures are used for the first stop if the route ends there")
    func driversFigures() throws {
        var world = try Self.world()
        let paths = ["current_route_segment", "remaining_distance_meters", "remaining_duration"]
        func report(to end: Coordinate) throws {
            try world.updateVan(paths) {
                $0.currentRouteSegment = EncodedPolyline.encode([World.centre, World.place(east: 500, north: 300), end])
                $0.remainingDistanceMeters = 1_300
                $0.remainingDurationSeconds = 260
            }
        }
        try report(to: World.place(east: 950))
        world.wait(60)
        var info = try world.track("p-c").info
        #expect(info.remainingDistanceMeters?.rounded() == 2_300)
        #expect(try seconds(info.estimatedArrivalTime, world) == 200 + 120 + 100)
        #expect(info.route?.coordinates.count == 5)
        let journey = try #require(try world.task("c").journey)
        #expect(journey.segments.first?.drivingDurationSeconds == 200 && journey.segments.first?.path.coordinates.count == 3)
        #expect(journey.isLastLocationSnappable)
        try report(to: World.place(east: 800))
        info = try world.track("p-c").info
        #expect(info.remainingDistanceMeters?.rounded() == 2_000)
        #expect(try world.task("c").journey?.segments.first?.path.coordinates == [World.centre, World.place(east: 1_000)])
    }

    @Test("while a van on its way sends no positions, no arrival moves", arguments: [false, true])
    func silent(isGuided: Bool) throws {
        var world = try Self.world()
        if isGuided {
            try world.updateVan(["current_route_segment", "remaining_duration"]) {
                $0.currentRouteSegment = EncodedPolyline.encode([World.centre, World.place(east: 1_000)])
                $0.remainingDurationSeconds = 100
            }
        }
        let known = try ["p-b", "p-c"].map { try world.track($0).info }
        world.wait(900)
        for (before, id) in zip(known, ["p-b", "p-c"]) {
            let info = try world.track(id).info
            #expect(info.estimatedArrivalTime == before.estimatedArrivalTime)
            #expect(info.estimatedCompletionTime == before.estimatedCompletionTime)
        }
        try world.drive(to: World.place(east: 10))
        #expect(try seconds(world.track("p-c").info.estimatedArrivalTime, world) == (isGuided ? 0 : 99) + 120 + 100)
    }

    @Test("a vehicle at its first stop is at the route's end, and its stay there counts from its arrival")
    func arrived() throws {
        var world = try Self.world()
        try world.drive(to: World.place(east: 990))
        try world.setStops([.at(0, ["a", "b"], .arrived), .at(1, ["c"]), .at(2, ["d"])])
        let moment = world.now
        world.wait(50)
        var (own, next) = (try world.track("p-b").info, try world.track("p-c").info)
        #expect(own.remainingDistanceMeters == 0 && own.estimatedArrivalTime == moment)
        #expect(own.estimatedCompletionTime == moment.addingTimeInterval(120))
        #expect(next.remainingStopCount == 2 && next.remainingDistanceMeters?.rounded() == 1_000)
        #expect(try seconds(next.estimatedArrivalTime, world) == 70 + 100)
        #expect(next.route?.coordinates.first == World.place(east: 1_000))
        // The van stays at the stop longer than planned.
        world.wait(200)
        own = try world.track("p-b").info
        next = try world.track("p-c").info
        #expect(own.estimatedArrivalTime == moment && own.estimatedCompletionTime == world.now)
        #expect(try seconds(next.estimatedArrivalTime, world) == 100)
    }

    @Test(
        "each value follows its own rule, or else the default of five stops",
        arguments: [
            Rule(rule: nil, shows: true), Rule(rule: .always, shows: true), Rule(rule: .never, shows: false),
            Rule(rule: .remainingStops(atMost: 2), shows: true), Rule(rule: .remainingStops(atMost: 1), shows: false),
            Rule(rule: .secondsToArrival(atMost: 321), shows: true), Rule(rule: .secondsToArrival(atMost: 319), shows: false),
            Rule(rule: .remainingMeters(atMost: 2_001), shows: true), Rule(rule: .remainingMeters(atMost: 1_999), shows: false),
        ])
    func rules(rule: Rule) throws {
        let changes: [(Element, @Sendable (inout TaskTrackingViewConfig) -> Void)] = [
            (.route, { $0.route = rule.rule }), (.arrival, { $0.arrivalTime = rule.rule }),
            (.completion, { $0.completionTime = rule.rule }), (.distance, { $0.remainingDistance = rule.rule }),
            (.count, { $0.remainingStopCount = rule.rule }), (.location, { $0.vehicleLocation = rule.rule }),
        ]
        for (element, change) in changes {
            var world = try Self.world()
            try world.updateTask("c", ["task_tracking_view_config"]) {
                var config = TaskTrackingViewConfig()
                change(&config)
                $0.trackingViewConfig = config
            }
            var hidden: Set<Element> = rule.shows ? [] : [element]
            // The route starts at the vehicle, so it is hidden along with the position.
            if hidden == [.location] { hidden.insert(.route) }
            #expect(Self.shown(try world.track("p-c")) == Set(Element.allCases).subtracting(hidden), "\(element)")
        }
    }

    @Test("by default a shipment is shared within the number of stops that the engine is configured with", arguments: [0, 1, 2, 3])
    func shareWithin(stops: Int) throws {
        let world = try Self.world(shareWithin: stops)
        for (index, id) in ["p-a", "p-c", "p-d"].enumerated() {
            #expect(Self.shown(try world.track(id)) == (index + 1 <= stops ? Set(Element.allCases) : []), "\(id)")
        }
    }

    @Test("a threshold on an unknown value hides it, and without a position only the stop count is known")
    func unknown() throws {
        var world = World()
        try world.createVan("van") { _ in }
        try world.createTask("t1") {
            $0.trackingViewConfig = TaskTrackingViewConfig(remainingStopCount: .secondsToArrival(atMost: 1e6))
        }
        try world.createTask("t2") { $0.trackingViewConfig = TaskTrackingViewConfig(remainingStopCount: .remainingMeters(atMost: 9_999)) }
        try world.createTask("t3")
        try world.setStops([.at(0, ["t1", "t2", "t3"])])
        #expect(Self.shown(try world.track("p-t1")) == [])
        #expect(Self.shown(try world.track("p-t2")) == [])
        #expect(Self.shown(try world.track("p-t3")) == [.count])
    }

    @Test("during a break, position and route are hidden, even with the rule always, and the break counts as a stop")
    func breaks() throws {
        var world = try Self.world()
        try world.createTask("lunch") {
            $0.type = .unavailable
            $0.trackingID = nil
            $0.plannedLocation = nil
        }
        try world.updateTask("c", ["task_tracking_view_config"]) {
            $0.trackingViewConfig = TaskTrackingViewConfig(route: .always, vehicleLocation: .always)
        }
        try world.setStops([.at(1, ["lunch"], .enroute), .at(0, ["a", "b"]), .at(1, ["c"]), .at(2, ["d"])])
        for id in ["p-a", "p-c"] { #expect(Self.shown(try world.track(id)) == [.arrival, .completion, .distance, .count]) }
        #expect(try world.track("p-c").info.remainingStopCount == 3)
        try world.setStops([.at(0, ["a", "b"]), .at(1, ["c"]), .at(2, ["d"])])
        #expect(Self.shown(try world.track("p-c")) == Set(Element.allCases))
    }

    @Test("values that do not depend on the vehicle are always shown, also for an unassigned and for a closed task")
    func always() throws {
        var world = World()
        let window = TimeWindow(start: World.start, end: World.start.addingTimeInterval(60))
        try world.createVan()
        try world.createTask("t1") {
            $0.targetTimeWindow = window
            $0.attributes = [DeliveryAttribute(key: "zone", text: "north")]
        }
        let name = try TaskTrackingName(provider: "plain", trackingID: "p-t1")
        var expected = TaskTrackingInfo(
            name: name, state: .open, plannedLocation: World.centre, targetTimeWindow: window,
            attributes: [DeliveryAttribute(key: "zone", text: "north")])
        #expect(try world.track("p-t1") == TaskTrackingAnswer(info: expected, vehicleLocation: nil))
        try world.setStops([.at(0, ["t1"])])
        try world.updateTask("t1", ["task_outcome"]) { $0.outcome = .succeeded }
        #expect(Self.shown(try world.track("p-t1")) == Set(Element.allCases))
        try world.setStops([])
        expected.state = .closed
        expected.outcome = .succeeded
        expected.outcomeTime = world.now
        #expect(try world.track("p-t1") == TaskTrackingAnswer(info: expected, vehicleLocation: nil))
    }

    @Test("a consumer sees only the best position")
    func position() throws {
        var world = try Self.world()
        try world.updateVan(["last_location"]) {
            $0.lastLocation = .at(World.place(east: 10))
            $0.lastLocation?.rawLocation = WireLatLng(World.place(east: 12))
        }
        let location = try #require(try world.track("p-a").vehicleLocation)
        #expect(location.location.coordinate == World.place(east: 10) && !location.hasRawLocation)
        #expect(try world.task("a").journey?.lastLocation?.hasRawLocation == true)
    }

    @Test("of several tasks with one tracking id, an open one on a vehicle is chosen, then the nearest, then the last outcome")
    func sharedID() throws {
        var world = World()
        try world.createVan()
        func info(_ expected: Int, _ comment: Comment) throws {
            let place = try world.track("parcel").info.plannedLocation
            #expect(place == World.place(east: Double(expected)), comment)
        }
        for (index, id) in ["t1", "t2", "t3", "t4"].enumerated() {
            try world.createTask(id) {
                $0.trackingID = "parcel"
                $0.plannedLocation = World.place(east: Double(index + 1))
            }
        }
        try info(4, "all are free: the last created")
        try world.setStops([.at(0, ["t2"]), .at(1, ["t3"])])
        try info(2, "the nearest on the vehicle")
        try world.setStops([.at(1, ["t3"])])
        try info(3, "the only one on the vehicle")
        try world.setStops([])
        try info(4, "an open one before closed ones")
        for id in ["t1", "t4"] { try world.updateTask(id, ["state"]) { $0.state = .closed } }
        try info(4, "closed without outcomes: the last created")
        try world.updateTask("t3", ["task_outcome", "task_outcome_time"]) {
            $0.outcome = .failed
            $0.outcomeTime = World.start
        }
        try world.updateTask("t2", ["task_outcome", "task_outcome_time"]) {
            $0.outcome = .succeeded
            $0.outcomeTime = World.start.addingTimeInterval(60)
        }
        try info(2, "the latest outcome")
        try world.createTask("t5") {
            $0.trackingID = "parcel"
            $0.plannedLocation = World.place(east: 5)
        }
        try info(5, "a second attempt")
        refusal(.notFound) { _ = try world.track("other") }
    }
}
