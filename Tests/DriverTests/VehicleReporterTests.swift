import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Routing
import Synchronization
import Testing
import TripTesting

/// Counts successful and failed reports, as the sample listener in the quickstart does.
private final class Counter: VehicleReporterListener {
    private let counts = Mutex((succeeded: 0, emptyMask: 0, failed: 0))

    var succeeded: Int { counts.withLock { $0.succeeded } }
    var emptyMask: Int { counts.withLock { $0.emptyMask } }
    var failed: Int { counts.withLock { $0.failed } }

    func vehicleReporter(_ vehicleReporter: VehicleReporter, didSucceed vehicleUpdate: VehicleUpdate) {
        counts.withLock { $0.succeeded += 1 }
    }

    func vehicleReporter(_ vehicleReporter: VehicleReporter, didFail vehicleUpdate: VehicleUpdate, withError error: FleetEngineError) {
        counts.withLock { counts in
            if error.message.contains("update_mask cannot be empty") { counts.emptyMask += 1 } else { counts.failed += 1 }
        }
    }
}

@Suite("Vehicle reporter on a manual clock", .timeLimit(.minutes(1)))
struct VehicleReporterTests {
    private struct Bench {
        let clock = ManualTimeSource(Sea.start)
        let navigator = Navigator()
        let provider: RoadSnappedLocationProvider
        let fleet: ScriptedFleet
        let reporter: VehicleReporter

        init() throws {
            let name = try VehicleName(provider: "sea", vehicle: "boat-1")
            fleet = ScriptedFleet(clock: clock, vehicle: name)
            let context = DriverContext(client: fleet, vehicleName: name, navigator: navigator, time: clock)
            reporter = RidesharingDriverAPI(driverContext: context).vehicleReporter
            provider = RoadSnappedLocationProvider(navigator: navigator)
            provider.add(reporter)
            provider.startUpdatingLocation()
        }

        /// Gives the reporter a fix with the current time.
        func fix() async {
            let now = clock.now()
            provider.update(
                with: LocationFix(
                    coordinate: Sea.place(0, now.timeIntervalSince(Sea.start) * 10), time: now, accuracyMeters: 5, courseDegrees: 0,
                    speedMetersPerSecond: 10), at: now)
            await reporter.deliver()
        }

        /// Gives the reporter a fix each second, until the time is `second` seconds.
        func drive(to second: Double) async {
            while clock.now() < Sea.start + second {
                await clock.advance(to: clock.now() + 1, parties: 1)
                await fix()
                await reporter.settled()
            }
        }

        var times: [Double] { get async { await fleet.updateTimes.map { $0.timeIntervalSince(Sea.start) } } }
    }

    @Test("The quickstart's order of calls: listen, follow locations, track, go online, stop")
    func quickstart() async throws {
        let bench = try Bench()
        let counter = Counter()
        await bench.reporter.add(counter)
        await bench.fix()
        await bench.reporter.setLocationTrackingEnabled(true)
        await bench.reporter.settled()
        await bench.reporter.update(.online)
        await bench.reporter.settled()
        await bench.drive(to: 35)
        await bench.reporter.setLocationTrackingEnabled(false)
        await bench.reporter.settled()
        #expect(await bench.times.count == 6)
        #expect(await bench.times.prefix(2) == [0, 0])
        #expect(await bench.fleet.vehicle.state == .offline)
        #expect(counter.succeeded == 6 && counter.failed == 0)
        bench.clock.advance(by: 500)
        #expect(await bench.fleet.vehicleUpdates.count == 6)
        #expect(bench.clock.deadlines.isEmpty)
    }

    @Test("The route is sent once, with its end and its traffic, and again after each change")
    func routes() async throws {
        let bench = try Bench()
        let leg = RouterLeg(
            path: [Sea.place(0, 0), Sea.place(0, 2_000)], destination: NavigationWaypoint(title: "pier", coordinate: Sea.place(9, 2_000)),
            durationSeconds: 200)
        let traffic = [TrafficStretch(startMeters: 500, endMeters: 600, speed: .slow)]
        await bench.reporter.setLocationTrackingEnabled(true)
        bench.navigator.setRoute(try NavigationRoute(legs: [leg], traffic: traffic))
        bench.navigator.isGuidanceActive = true
        await bench.fix()
        await bench.reporter.settled()
        await bench.drive(to: 21)
        bench.navigator.setRoute(try NavigationRoute(line: Polyline([Sea.place(0, 200), Sea.place(300, 900)]), durationSeconds: 90))
        await bench.drive(to: 41)
        let withRoute = await bench.fleet.vehicleUpdates.filter { $0.fields.contains(.route) }
        #expect(withRoute.count == 2)
        #expect(withRoute[0].route.coordinates == leg.path)
        #expect(withRoute[0].routeEndPoint?.coordinate == Sea.place(9, 2_000))
        #expect(withRoute[0].route.traffic == traffic)
        #expect(withRoute[1].route.traffic.isEmpty && withRoute[1].fields.contains(.routeTraffic))
        let figures = await bench.fleet.vehicleUpdates.compactMap(\.remainingDistanceMeters)
        #expect(abs((figures.first ?? 0) - 2_000) < 30)
    }

    @Test("While the server is silent the newest location waits, and is sent when the server answers")
    func slowServer() async throws {
        let bench = try Bench()
        await bench.fix()
        await bench.fleet.hold()
        await bench.reporter.setLocationTrackingEnabled(true)
        for _ in 0..<25 {
            bench.clock.advance(by: 1)
            await bench.fix()
        }
        #expect(await bench.fleet.vehicleUpdates.isEmpty)
        await bench.fleet.release()
        await bench.clock.waitForSleepers()
        let updates = await bench.fleet.vehicleUpdates
        #expect(updates.map { $0.location?.updateTime } == [Sea.start, Sea.start + 25])
    }

    @Test("Refusals of empty masks and failures are counted separately, by the reporter and by the sample's listener")
    func counters() async throws {
        let bench = try Bench()
        let counter = Counter()
        await bench.reporter.add(counter)
        await bench.fleet.fail { _, date in
            if date == Sea.start { return Sea.error(.invalidArgument, "update_mask cannot be empty") }
            return date < Sea.start + 30 ? Sea.error(.unavailable, "down") : nil
        }
        await bench.fix()
        await bench.reporter.setLocationTrackingEnabled(true)
        await bench.reporter.settled()
        await bench.drive(to: 60)
        #expect(await bench.reporter.emptyMaskUpdates == 1)
        #expect(await bench.reporter.failedUpdates == counter.failed)
        #expect(counter.emptyMask == 1 && counter.failed >= 1 && counter.succeeded >= 2)
    }

    @Test("The status says how serious a failure is and who must act, and changes back when all is well; as a listener and as a sequence")
    func statuses() async throws {
        let bench = try Bench()
        let outcomes = await bench.reporter.outcomes()
        await bench.fleet.fail { _, date in
            switch date.timeIntervalSince(Sea.start) {
            case ..<10: Sea.error(.invalidArgument, "update_mask cannot be empty")
            case ..<15: Sea.error(.unavailable, "down")
            case ..<60: Sea.error(.permissionDenied, "not you")
            default: nil
            }
        }
        await bench.fix()
        await bench.reporter.setLocationTrackingEnabled(true)
        await bench.reporter.settled()
        await bench.drive(to: 150)
        await bench.reporter.setLocationTrackingEnabled(false)
        await bench.reporter.settled()
        var told: [String] = []
        var hasFailed = false
        for await outcome in outcomes {
            if case .status(let status) = outcome {
                let words = "\(status.level) \(status.code) \(status.cause?.message ?? "-")"
                if told.last != words { told.append(words) }
            }
            if case .failed = outcome { hasFailed = true }
            if case .succeeded(let update) = outcome, update.state == .offline { break }
        }
        #expect(hasFailed)
        #expect(
            told == [
                "debug default update_mask cannot be empty", "warning backendConnectivity down", "error permissionDenied not you",
                "info default -",
            ])
    }

    @Test(
        "Each failure has its status",
        arguments: [
            (FleetEngineError.Origin.server, StatusCode.notFound, "error vehicleNotFound"),
            (.server, .unauthenticated, "error permissionDenied"), (.server, .unknown, "warning unknown"),
            (.server, .failedPrecondition, "error service"), (.server, .internal, "warning service"),
            (.server, .deadlineExceeded, "warning backendConnectivity"), (.network, .unavailable, "warning backendConnectivity"),
            (.tls, .unavailable, "error backendConnectivity"), (.tokenSource, .unauthenticated, "error permissionDenied"),
            (.local, .failedPrecondition, "error default"),
        ])
    func statusOfFailure(origin: FleetEngineError.Origin, code: StatusCode, expected: String) {
        let status = DriverStatus(FleetEngineError(code: code, message: "m", origin: origin))
        #expect("\(status.level) \(status.code)" == expected)
    }

    @Test("A supplemental position is sent once, with the sensor's position or alone")
    func supplemental() async throws {
        let bench = try Bench()
        await bench.fix()
        let gate = SupplementalLocation(coordinate: Sea.place(7, 7), time: Sea.start, accuracyMeters: 3)
        await bench.reporter.setSupplementalLocation(gate)
        await bench.reporter.setLocationTrackingEnabled(true)
        await bench.reporter.settled()
        await bench.drive(to: 15)
        await bench.clock.advance(to: Sea.start + 30, parties: 1)
        await bench.reporter.settled()
        let barrier = SupplementalLocation(coordinate: Sea.place(50, 90), time: Sea.start + 30)
        await bench.reporter.setSupplementalLocation(barrier)
        await bench.clock.advance(to: Sea.start + 60, parties: 1)
        await bench.reporter.settled()
        let sent = await bench.fleet.vehicleUpdates.compactMap(\.location)
        #expect(sent.first?.supplemental == gate && sent.first?.rawCoordinate != nil)
        #expect(sent.filter { $0.supplemental == gate }.count == 1)
        let last = try #require(sent.last)
        #expect(last.supplemental == barrier && last.coordinate == Sea.place(50, 90) && last.updateTime == Sea.start + 30)
        #expect(last.rawCoordinate == nil)
        #expect(sent.filter { $0.supplemental == barrier }.count == 1)
    }

    @Test("ONLINE without tracking is reported to the listener as a failure; nothing is sent")
    func onlineWithoutTracking() async throws {
        let bench = try Bench()
        let counter = Counter()
        await bench.reporter.add(counter)
        await bench.reporter.update(.online)
        await bench.reporter.settled()
        #expect(counter.failed == 1)
        #expect(await bench.fleet.requests.isEmpty)
    }

    @Test("Properties have the SDK's names, defaults and limits")
    func properties() async throws {
        let bench = try Bench()
        #expect(await bench.reporter.locationUpdateInterval == 10)
        #expect(await !bench.reporter.locationTrackingEnabled)
        await bench.reporter.setLocationUpdateInterval(1)
        #expect(await bench.reporter.locationReportingInterval == 5)
        await bench.reporter.setLocationReportingInterval(600)
        #expect(await bench.reporter.locationUpdateInterval == 60)
        #expect(bench.reporter.vehicleName.vehicle == "boat-1")
    }

    @Test("Listeners are not kept alive, and a released reporter leaves no sleeping task")
    func lifetimes() async throws {
        let clock: ManualTimeSource
        weak var gone: Counter?
        do {
            let bench = try Bench()
            clock = bench.clock
            do {
                let counter = Counter()
                gone = counter
                await bench.reporter.add(counter)
            }
            #expect(gone == nil)
            await bench.fix()
            await bench.reporter.setLocationTrackingEnabled(true)
            await bench.clock.waitForSleepers()
        }
        while !clock.deadlines.isEmpty, !Task.isCancelled { await Task.yield() }
    }

    @Test("The context refuses invalid ids")
    func context() throws {
        let clock = ManualTimeSource()
        let fleet = ScriptedFleet(clock: clock, vehicle: try VehicleName(provider: "sea", vehicle: "boat-1"))
        #expect(throws: ResourceNameError.self) {
            try DriverContext(client: fleet, providerID: "sea", vehicleID: "a/b", navigator: nil, time: clock)
        }
        let context = try DriverContext(client: fleet, providerID: "sea", vehicleID: "boat-2", navigator: nil, time: clock)
        #expect(context.vehicleName.description == "providers/sea/vehicles/boat-2")
    }
}
