import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Routing

extension DriverShift {
    /// Drives to a stop.
    /// - Returns: whether the vehicle stands there; if not, `trip` has changed so that something else is to be done.
    func drive(to stop: TripStop, of trip: inout Trip) async throws -> Bool {
        let step = TripStep(trip, vehicleID: vehicleID)
        reroutes = ReroutePolicy()
        guard let route = try await firstRoute(to: stop, of: &trip, step) else { return false }
        start(on: route, to: stop)
        await tick()
        await reporter.sendNow()
        return try await carryOn(with: &trip, towards: stop) { _, activity in activity == .arrived }
    }

    /// Asks the router until it answers, or until the trip asks for something else.
    private func firstRoute(to stop: TripStop, of trip: inout Trip, _ step: TripStep) async throws -> NavigationRoute? {
        while true {
            do throws(RoutingError) {
                return NavigationRoute(try await driver.router.route(request(to: stop)))
            } catch {
                try await backOff(.route(error))
            }
            trip = try await look(at: trip) ?? trip
            guard TripStep(trip, vehicleID: vehicleID) == step, isNext(trip.name) else { return nil }
        }
    }

    private func request(to stop: TripStop) -> RouteRequest {
        let course = vehicle?.activity == .driving ? navigator.state.location?.courseDegrees : nil
        return RouteRequest(
            origin: vehicle?.coordinate ?? stop.coordinate, originCourseDegrees: course,
            destinations: [NavigationWaypoint(title: stop.type.word, coordinate: stop.coordinate)])
    }

    private func start(on route: NavigationRoute, to stop: TripStop) {
        let simulation = settings.simulation(to: stop.type, on: route)
        if vehicle == nil {
            vehicle = DrivingSimulator(route: route, configuration: simulation, seed: settings.seed, startingAt: time.now())
        } else {
            vehicle?.follow(route, configuration: simulation)
        }
        enter(to: stop, change: .newDestinations)
    }

    /// The navigator gets the route with the times at which it is driven and its traffic.
    private func enter(to stop: TripStop, change: RouteChange) {
        guard let route = vehicle?.route else { return }
        navigator.setRoute(route, change: change)
        navigator.isGuidanceActive = true
        driver.onEvent(
            .route(
                to: stop, lengthMeters: route.line.lengthMeters, durationSeconds: route.durationSeconds, isReroute: change == .reroute))
    }

    private func rerouteIfNeeded(to stop: TripStop, at now: Date) async throws {
        guard let vehicle, vehicle.activity == .astray || navigator.state.offRouteReason != nil,
            reroutes.shouldAsk(at: now, from: vehicle.coordinate)
        else { return }
        do {
            let route = NavigationRoute(try await driver.router.route(request(to: stop)))
            reroutes.didSucceed()
            self.vehicle?.follow(route)
            enter(to: stop, change: .reroute)
        } catch {
            try Task.checkCancellation()
            reroutes.didFail(at: time.now())
        }
    }

    /// Drives, or stands, while the trip asks for nothing else and no other trip's stop comes first.
    ///
    /// - Parameter isDone: whether what was waited for has happened.
    /// - Returns: whether it has; if not, `trip` or the order of stops has changed.
    func carryOn(
        with trip: inout Trip, towards stop: TripStop? = nil, until isDone: (Date, DrivingSimulator.Activity?) -> Bool
    ) async throws -> Bool {
        let step = TripStep(trip, vehicleID: vehicleID)
        var lookAt = time.now().addingTimeInterval(settings.pollInterval)
        while true {
            let now = await tick()
            if isDone(now, vehicle?.activity) { return true }
            if let stop { try await rerouteIfNeeded(to: stop, at: now) }
            if now >= lookAt {
                let wait: Double
                do throws(FleetEngineError) {
                    try await refresh(&trip)
                    wait = settings.pollInterval
                } catch {
                    wait = try await note(.fleetEngine(error), of: trip.name)
                }
                guard TripStep(trip, vehicleID: vehicleID) == step, isNext(trip.name) else { return false }
                lookAt = time.now().addingTimeInterval(wait)
            }
            try await time.sleep(until: now.addingTimeInterval(settings.fixInterval))
        }
    }

    /// The vehicle moves to where it is now, and everybody hears of it.
    @discardableResult
    func tick() async -> Date {
        let now = time.now()
        if let fix = vehicle?.advance(to: now) { provider.update(with: fix, at: now) }
        await reporter.deliver()
        return now
    }

    /// Stands and goes on reporting.
    func stay(untilDate end: Date) async throws {
        while true {
            let now = await tick()
            guard now < end else { return }
            try await time.sleep(until: min(end, now.addingTimeInterval(settings.fixInterval)))
        }
    }
}
