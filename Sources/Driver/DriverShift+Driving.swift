import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Routing

extension DriverShift {
    /// Drives to a stop.
    /// - Returns: whether the vehicle has arrived. If not, `trip` has changed and needs another step, or another trip's stop comes first.
    func drive(to stop: TripStop, of trip: inout Trip) async throws -> Bool {
        let step = TripStep(trip, vehicleID: vehicleID)
        reroutes = ReroutePolicy()
        // A route needs a start, and a receiver may need time for its first position.
        if car == nil, lastFix == nil, !(try await carryOn(with: &trip, until: { _ in lastFix != nil })) { return false }
        guard try await findRoute(to: stop, of: &trip, step) else { return false }
        announce(stop, isReroute: false)
        enter(.driving(stop, isThere: false))
        try await tick()
        await reporter.sendNow()
        return try await carryOn(with: &trip, towards: stop) { _ in isTold(.arrived, isDue: hasArrived) }
    }

    var hasArrived: Bool { car.map { $0.activity == .arrived } ?? navigator.state.hasArrived }

    private var place: Coordinate? { car == nil ? lastFix?.coordinate : car?.place }

    /// Asks the router until it finds a route. The attempts end if the trip needs another step, or if another trip's stop comes first.
    /// - Returns: whether the navigator has the route.
    private func findRoute(to stop: TripStop, of trip: inout Trip, _ step: TripStep) async throws -> Bool {
        let destination = NavigationWaypoint(title: stop.type.word, coordinate: stop.coordinate)
        while true {
            let status = await navigator.setDestinations(
                [destination], by: driver.router, from: origin(to: stop), preparing: following(stop, .newDestinations))
            switch status {
            case .ok: return true
            case .noRouteFound(let error), .networkError(let error): try await backOff(.route(error))
            case .canceled: try Task.checkCancellation()
            case .noWaypoints, .invalidWaypoint, .locationUnavailable:
                try await backOff(.route(RoutingError("the stop's coordinates are not valid", isRetryable: false)))
            }
            trip = try await look(at: trip) ?? trip
            guard TripStep(trip, vehicleID: vehicleID) == step, isNext(trip.name) else { return false }
        }
    }

    /// Returns the position of the vehicle, and its direction while it is moving. Without a known position, returns the stop's position.
    private func origin(to stop: TripStop) -> RouteOrigin {
        let isDriving = car.map { $0.activity == .driving } ?? (lastFix?.speedMetersPerSecond ?? 0 >= Self.drivingMetersPerSecond)
        return RouteOrigin(
            coordinate: place ?? stop.coordinate, courseDegrees: isDriving ? navigator.state.location?.courseDegrees : nil)
    }

    /// Returns a function that makes a self-driving source follow a route. The function returns the route with the drive's times and
    /// traffic. For any other source, it returns the route unchanged.
    private func following(_ stop: TripStop, _ change: RouteChange) -> @Sendable (NavigationRoute) -> NavigationRoute {
        { [car] planned in car?.follow(planned, to: stop, change: change) ?? planned }
    }

    /// Turns guidance on, and reports the new route.
    private func announce(_ stop: TripStop, isReroute: Bool) {
        navigator.isGuidanceActive = true
        guard let route = navigator.state.route else { return }
        driver.onEvent(
            .route(to: stop, lengthMeters: route.line.lengthMeters, durationSeconds: route.durationSeconds, isReroute: isReroute))
    }

    private func rerouteIfNeeded(to stop: TripStop, at now: Date) async throws {
        guard let place, car?.activity == .astray || navigator.state.offRouteReason != nil,
            reroutes.shouldAsk(at: now, from: place, progressMeters: navigator.state.progressMeters)
        else { return }
        let status = await navigator.reroute(
            by: driver.router, reason: RerouteReason(navigator.state.offRouteReason ?? .distance), from: origin(to: stop),
            preparing: following(stop, .reroute))
        try Task.checkCancellation()
        guard status == .ok else { return reroutes.didFail(at: time.now()) }
        reroutes.didSucceed()
        announce(stop, isReroute: true)
    }

    /// Drives or waits until the awaited event has happened, the trip needs another step, or another trip's stop comes first.
    ///
    /// - Parameter isDone: whether the awaited event has happened.
    /// - Returns: whether the event has happened; if not, `trip` or the order of stops has changed.
    func carryOn(
        with trip: inout Trip, towards stop: TripStop? = nil, until isDone: (Date) -> Bool
    ) async throws -> Bool {
        let step = TripStep(trip, vehicleID: vehicleID)
        var lookAt = time.now().addingTimeInterval(settings.pollInterval)
        var now = try await tick()
        while true {
            if isDone(now) { return true }
            if let stop { try await rerouteIfNeeded(to: stop, at: now) }
            if now >= lookAt {
                let wait: Double
                do throws(FleetEngineError) {
                    try await refresh(&trip)
                    await noteAnswer()
                    wait = settings.pollInterval
                } catch {
                    wait = try await note(.fleetEngine(error), of: trip.name)
                }
                guard TripStep(trip, vehicleID: vehicleID) == step, isNext(trip.name) else { return false }
                lookAt = time.now().addingTimeInterval(wait)
            }
            now = try await tick(until: now.addingTimeInterval(settings.fixInterval))
        }
    }

    /// Waits for the next position and passes it to the navigator and the reporter. If no position comes in time, the navigator gets only
    /// the time. Then carries out the commands that have arrived.
    ///
    /// - Parameter deadline: latest time at which the wait ends; a past time means no wait.
    /// - Returns: the time after the wait.
    @discardableResult
    func tick(until deadline: Date = .distantPast) async throws -> Date {
        let fix = await onRoad(try await driver.source.nextFix(until: deadline))
        let now = time.now()
        if let fix {
            lastFix = fix
            provider.update(with: fix, at: now)
        } else {
            navigator.tick(at: now)
        }
        await reporter.deliver()
        await obey()
        publish()
        return now
    }

    /// Adds the nearest road to a real vehicle's position while there is no route.
    private func onRoad(_ given: LocationFix?) async -> LocationFix? {
        guard var fix = given, car == nil, fix.nearestRoad == nil, navigator.state.route == nil else { return given }
        let reach = min(max(Self.nearestRoadMeters, fix.accuracyMeters ?? 0), Self.farthestRoadMeters)
        fix.nearestRoad = await driver.router.nearestRoad(to: fix.coordinate, within: reach)
        return fix
    }

    /// Waits until `end`, or until `isBusy` returns true. The driver continues to report during the wait.
    func stay(untilDate end: Date, unless isBusy: () -> Bool = { false }) async throws {
        if isBusy() { return }
        var now = try await tick()
        while now < end, !isBusy() { now = try await tick(until: min(end, now.addingTimeInterval(settings.fixInterval))) }
    }
}
