import DequeModule
import FleetEngine
import FleetEngineCore

/// Vehicle that lacks a way.
enum WayUser: Hashable, Sendable {
    case vehicle(VehicleName)
    case deliveryVehicle(DeliveryVehicleName)
}

/// Ways to request from a router. Each way is requested once for all vehicles that lack it. Only a few requests are under way at a time,
/// and none start during a pause.
///
/// The queue's size depends only on the ways that vehicles lack now, not on the router's speed.
struct WayQueue: Sendable {
    /// Maximum number of requests under way at the same time.
    static let atOnce = 4

    private var missing: [WayUser: [Way]] = [:]
    private var wanted: [Way: Set<WayUser>] = [:]
    /// Ways in order. A way that no vehicle needs any more stays until it comes first, or until such ways outnumber the others.
    private(set) var line: Deque<Way> = []
    private var underWay: Set<Way> = []
    /// Whether requests are paused because the router has just failed.
    var isPaused = false

    /// Whether no request is under way and none can start now.
    var isIdle: Bool { underWay.isEmpty && (isPaused || line.isEmpty) }

    /// Sets the ways that a vehicle lacks now. Ways that it lacked before no longer count.
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

    /// Next way to request.
    mutating func next() -> Way? {
        guard !isPaused, underWay.count < Self.atOnce else { return nil }
        while let way = line.popFirst() {
            if wanted[way] != nil, underWay.insert(way).inserted { return way }
        }
        return nil
    }

    /// Removes a way that the router has answered.
    /// - Returns: the vehicles that lack the way.
    mutating func answered(_ way: Way) -> Set<WayUser> {
        underWay.remove(way)
        let vehicles = wanted.removeValue(forKey: way) ?? []
        for vehicle in vehicles { missing[vehicle]?.removeAll { $0 == way } }
        return vehicles
    }

    /// Keeps a way for which the router gave no answer. After the pause, it is the first to be requested again.
    mutating func failed(_ way: Way) {
        underWay.remove(way)
        line.prepend(way)
    }
}
