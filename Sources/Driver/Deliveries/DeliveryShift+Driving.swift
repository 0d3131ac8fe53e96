import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Routing

extension DeliveryShift {
    /// The position of the vehicle: its true position if it is simulated, otherwise the position of the last fix.
    var place: Coordinate? { car == nil ? lastFix?.coordinate : car?.place }

    /// Drives to a stop until a command has been carried out, another stop is first on the list, or the stop has a new state.
    func drive(to stop: VehicleStop) async throws {
        reroutes = ReroutePolicy()
        isRouted = false
        guard try await hasRoute(to: stop) else { return }
        isRouted = true
        announce(isReroute: false)
        try await tick()
        await reporter.sendNow()
        if case .command(let command) = try await wait(at: stop) { try await carryOut(command, at: stop) }
    }

    /// Asks the router until it finds a route. The attempts end if another stop is first, or if the stop has a new state.
    /// - Returns: whether the navigator has the route.
    private func hasRoute(to stop: VehicleStop) async throws -> Bool {
        // A route needs a start, and a receiver may need time for its first position.
        while car == nil, lastFix == nil {
            let wake = try await wait(at: stop, until: time.now().addingTimeInterval(settings.fixInterval))
            guard try await goesOn(wake, at: stop) else { return false }
        }
        let destination = NavigationWaypoint(coordinate: stop.plannedLocation)
        while true {
            let status = await navigator.setDestinations(
                [destination], by: driver.router, from: origin(to: stop), preparing: following(stop, .newDestinations))
            let failure: RoutingError
            switch status {
            case .ok: return true
            case .noRouteFound(let error), .networkError(let error): failure = error
            case .canceled, .noWaypoints, .invalidWaypoint, .locationUnavailable:
                try Task.checkCancellation()
                failure = RoutingError("the stop's coordinates are not valid", isRetryable: false)
            }
            let seconds = settings.pollInterval
            driver.onEvent(.retrying(.route(failure), afterSeconds: seconds))
            let wake = try await wait(at: stop, until: time.now().addingTimeInterval(seconds))
            guard try await goesOn(wake, at: stop) else { return false }
        }
    }

    /// If a command ended the wait, carries it out.
    /// - Returns: whether the vehicle still has to drive to the stop.
    private func goesOn(_ wake: Wake, at stop: VehicleStop) async throws -> Bool {
        if case .command(let command) = wake { try await carryOut(command, at: stop) }
        return isFirst(stop)
    }

    private func origin(to stop: VehicleStop) -> RouteOrigin {
        let isDriving = car.map { $0.activity == .driving } ?? (speed ?? 0 >= DeliveryMoment.standingMetersPerSecond)
        return RouteOrigin(
            coordinate: place ?? stop.plannedLocation, courseDegrees: isDriving ? navigator.state.location?.courseDegrees : nil)
    }

    /// Returns a function that makes a self-driving source follow a route. The function returns the route with the drive's times and
    /// traffic. For any other source, it returns the route unchanged.
    private func following(_ stop: VehicleStop, _ change: RouteChange) -> @Sendable (NavigationRoute) -> NavigationRoute {
        let target = TripStop(type: .dropoff, coordinate: stop.plannedLocation)
        return { [car] planned in car?.follow(planned, to: target, change: change) ?? planned }
    }

    /// Reports the new route.
    private func announce(isReroute: Bool) {
        navigator.isGuidanceActive = true
        guard let route = navigator.state.route else { return }
        driver.onEvent(.route(lengthMeters: route.line.lengthMeters, durationSeconds: route.durationSeconds, isReroute: isReroute))
    }

    func rerouteIfNeeded(to stop: VehicleStop, at now: Date) async throws {
        guard let place, car?.activity == .astray || navigator.state.offRouteReason != nil,
            reroutes.shouldAsk(at: now, from: place, progressMeters: navigator.state.progressMeters)
        else { return }
        let status = await navigator.reroute(
            by: driver.router, from: origin(to: stop), preparing: following(stop, .reroute))
        try Task.checkCancellation()
        guard status == .ok else { return reroutes.didFail(at: time.now()) }
        reroutes.didSucceed()
        announce(isReroute: true)
    }

    /// Waits for the next position and passes it to the navigator and the reporter. Then takes the commands that have arrived.
    ///
    /// - Parameter deadline: latest time at which the wait ends; a past time means no wait.
    /// - Returns: the time after the wait.
    @discardableResult
    func tick(until deadline: Date = .distantPast) async throws -> Date {
        let fix = try await driver.source.nextFix(until: deadline)
        let now = time.now()
        if let fix {
            speed = fix.speedMetersPerSecond ?? lastFix.flatMap { Self.speed(from: $0, to: fix) }
            lastFix = fix
            provider.update(with: fix, at: now)
        } else {
            navigator.tick(at: now)
        }
        await reporter.deliver()
        for command in driver.controls?.next() ?? [] { take(command) }
        return now
    }

    private func take(_ command: DeliveryCommand) {
        let state = stops.first?.state
        if let state, command.fits(state) { told = command } else { driver.onEvent(.ignored(command, state)) }
    }

    /// Returns the speed between two positions, in metres per second; nil if `fix` is not later than `last`.
    private static func speed(from last: LocationFix, to fix: LocationFix) -> Double? {
        let seconds = fix.time.timeIntervalSince(last.time)
        return seconds > 0 ? fix.coordinate.distanceMeters(to: last.coordinate) / seconds : nil
    }
}
