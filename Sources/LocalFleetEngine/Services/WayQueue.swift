import DequeModule
import FleetEngine
import FleetEngineCore

/// A vehicle that needs a route from the router.
enum WayUser: Hashable, Sendable {
    case vehicle(VehicleName)
    case deliveryVehicle(DeliveryVehicleName)
}

/// The queue of routes to request from a router. A route is requested once for all vehicles that need it. Only a few requests
/// run at the same time, and no request starts during a pause.
///
/// The size of the queue is limited by the number of routes that vehicles need now, even if the router is slow.
struct WayQueue: Sendable {
    /// Maximum number of requests that run at the same time.
    static let atOnce = 4

    private var missing: [WayUser: [Way]] = [:]
    private var wanted: [Way: Set<WayUser>] = [:]
    /// The routes to request, in order. Some may no longer be needed; `wanted` has only the needed ones.
    private(set) var line: Deque<Way> = []
    private var underWay: Set<Way> = []
    /// Whether requests are paused, because the router has just failed.
    var isPaused = false

    /// Whether no request is running and no request can start now.
    var isIdle: Bool { underWay.isEmpty && (isPaused || line.isEmpty) }

    /// Sets the routes that a vehicle needs now. They replace those that the vehicle needed before.
    mutating func want(_ ways: [Way], by vehicle: WayUser) {
        let old = missing[vehicle] ?? []
        guard old != ways else { return }
        missing[vehicle] = ways.isEmpty ? nil : ways
        for way in old where !ways.contains(way) {
            wanted[way]?.remove(vehicle)
            if wanted[way]?.isEmpty == true { wanted[way] = nil }
        }
        for way in ways where !old.contains(way) {
            if wanted[way] == nil { line.append(way) }
            wanted[way, default: []].insert(vehicle)
        }
        guard line.count > 2 * wanted.count + 16 else { return }
        var seen: Set<Way> = []
        line.removeAll { wanted[$0] == nil || !seen.insert($0).inserted }
    }

    /// Removes the next route from the queue and returns it; nil if no request can start now.
    mutating func next() -> Way? {
        guard !isPaused, underWay.count < Self.atOnce else { return nil }
        while let way = line.popFirst() {
            if wanted[way] != nil, underWay.insert(way).inserted { return way }
        }
        return nil
    }

    /// Removes a route for which the router has given its final answer.
    /// - Returns: the vehicles that need the route.
    mutating func answered(_ way: Way) -> Set<WayUser> {
        underWay.remove(way)
        let vehicles = wanted.removeValue(forKey: way) ?? []
        for vehicle in vehicles { missing[vehicle]?.removeAll { $0 == way } }
        return vehicles
    }

    /// Puts a route back at the head of the queue, because its request failed or its answer cannot be stored.
    mutating func failed(_ way: Way) {
        underWay.remove(way)
        line.prepend(way)
    }
}
