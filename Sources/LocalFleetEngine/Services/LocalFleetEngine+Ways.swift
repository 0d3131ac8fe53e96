public import FleetEngine
public import FleetEngineAPI
import FleetEngineCore
import FoundationEssentials
import Routing
import Synchronization

// A request to the router does not delay the caller. Until the router has answered, the route is a straight line. The answer is then
// applied as a separate change.
extension LocalFleetEngine {
    /// Returns when the router has answered all requests. Returns at once if the engine has no router. While requests are paused after a
    /// failure of the router, waits only for the requests under way.
    public func waysSettled() async {
        guard !ways.isIdle else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    /// Requests the routes that vehicles and delivery vehicles need after a change and do not have yet.
    func plan(after changes: [Change]) {
        guard router != nil else { return }
        for change in changes {
            switch change {
            case .vehiclePut(let record): ways.want(record.missingWays, by: .vehicle(record.name))
            case .vehicleRemoved(let name): ways.want([], by: .vehicle(name))
            case .delivery(.vehiclePut(let record)): ways.want(record.missingWays, by: .deliveryVehicle(record.name))
            case .delivery(.vehicleRemoved(let name)): ways.want([], by: .deliveryVehicle(name))
            case .tripPut, .tripRemoved, .bookingQueued, .bookingTaken, .delivery(.taskPut), .delivery(.taskRemoved): break
            }
        }
        askRouter()
    }

    private func askRouter() {
        guard let router else { return }
        while let way = ways.next() {
            Task { [weak self] in
                let answer = await router.answer(to: way)
                await self?.settle(way, answer)
            }
        }
        guard ways.isIdle else { return }
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    private func settle(_ way: Way, _ answer: Result<PlannedRoute, RoutingError>) {
        let now = time.now()
        switch answer {
        case .failure(let error) where error.isRetryable:
            ways.failed(way)
            pause(now, atLeastSeconds: error.retryAfterSeconds)
        case _ where !isStoreWritable:
            ways.failed(way)
            pause(now)
        case .success, .failure:
            routerPace.reset()
            publish(settle(way, with: try? answer.get(), for: ways.answered(way), now), now)
        }
        askRouter()
    }

    /// Applies the router's answer to the vehicles that need the route.
    /// - Parameter route: the router's answer; nil if there is no route.
    private func settle(_ way: Way, with route: PlannedRoute?, for users: Set<WayUser>, _ now: Date) -> [Change] {
        var vehicles: [VehicleName] = []
        var deliveryVehicles: [DeliveryVehicleName] = []
        for user in users {
            switch user {
            case .vehicle(let name): vehicles.append(name)
            case .deliveryVehicle(let name): deliveryVehicles.append(name)
            }
        }
        return held.withLock { [vehicles, deliveryVehicles] held in
            held.engine.settle(way, with: route, for: vehicles, now: now)
                + held.engine.settle(way, with: route, for: deliveryVehicles, now: now)
        }
    }

    /// Pauses requests to the router for a while. The answers to requests under way are still applied.
    private func pause(_ now: Date, atLeastSeconds asked: Double? = nil) {
        guard !ways.isPaused else { return }
        ways.isPaused = true
        let details = asked.map { [ErrorDetail.retryInfo(delaySeconds: $0)] } ?? []
        let failure = FleetEngineError(code: .unavailable, message: "the router does not answer", details: details)
        let seconds = routerPace.delaySeconds(after: failure, intervalSeconds: 1, random: &random)
        Task { [weak self, time] in
            try? await time.sleep(until: now.addingTimeInterval(seconds))
            await self?.resume()
        }
    }

    func resume() {
        ways.isPaused = false
        askRouter()
    }

    /// See `FleetEngineState.searchVehicles`. The routes come from the router. If the router fails with a retryable error, or needs longer
    /// than `searchPatience` in total, all routes are straight lines, so that their lengths can be compared. If it finds no route for one
    /// of them, only this route is a straight line.
    public nonisolated func searchVehicles(
        _ request: WireSearchVehiclesRequest
    ) async throws(FleetEngineError) -> WireSearchVehiclesResponse {
        let search = try await shortlist(request)
        guard let router, !search.ways.isEmpty else { return search.response(ways: [:]) }
        let legs = await withTaskGroup(of: [Way: RouterLeg]?.self) { group in
            group.addTask { await router.legs(of: search.ways) }
            group.addTask { [searchPatience] in
                try? await Task.sleep(for: searchPatience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        return search.response(ways: legs ?? [:])
    }
}

extension Router {
    /// Returns the router's leg for each way that has a route; nil if the router fails with a retryable error, or if the task is cancelled.
    fileprivate nonisolated func legs(of ways: [Way]) async -> [Way: RouterLeg]? {
        var legs: [Way: RouterLeg] = [:]
        for way in ways where legs[way] == nil {
            switch await answer(to: way) {
            case .success(let route): legs[way] = route.legs.first
            case .failure(let error) where error.isRetryable: return nil
            case .failure: break
            }
            guard !Task.isCancelled else { return nil }
            // Lets other calls run between two routes. A router that only computes never suspends by itself.
            await Task.yield()
        }
        return legs
    }

    /// Asks the router for a way's route. The call runs outside every actor.
    fileprivate nonisolated func answer(to way: Way) async -> Result<PlannedRoute, RoutingError> {
        do throws(RoutingError) {
            return .success(
                try await route(
                    RouteRequest(origin: way.start, destinations: [NavigationWaypoint(coordinate: way.end)], needsSteps: false)))
        } catch {
            return .failure(error)
        }
    }
}
