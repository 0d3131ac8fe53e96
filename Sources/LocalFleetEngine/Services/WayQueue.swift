import DequeModule
import FleetEngine
import FleetEngineCore

/// What lacks a way.
enum WayUser: Hashable, Sendable {
    case vehicle(VehicleName)
    case deliveryVehicle(DeliveryVehicleName)
}

/// Which ways a router is to be asked for: each once however many vehicles lack it, a few at a time, and none during a pause.
///
/// It holds no more than the vehicles lack now, however long the router takes.
struct WayQueue: Sendable {
    /// Questions that are under way at the same time.
    static let atOnce = 4

    private var missing: [WayUser: [Way]] = [:]
    private var wanted: [Way: Set<WayUser>] = [:]
    /// Ways that nobody wants any more stay in here until they come first or outnumber the others.
    private(set) var line: Deque<Way> = []
    private var underWay: Set<Way> = []
    /// Whether the router failed a moment ago.
    var isPaused = false

    /// Whether nothing is under way, and nothing can be asked now.
    var isIdle: Bool { underWay.isEmpty && (isPaused || line.isEmpty) }

    /// Takes in which ways a vehicle lacks now; what it lacked before counts no more.
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

    /// The way to be asked for now.
    mutating func next() -> Way? {
        guard !isPaused, underWay.count < Self.atOnce else { return nil }
        while let way = line.popFirst() {
            if wanted[way] != nil, underWay.insert(way).inserted { return way }
        }
        return nil
    }

    /// Takes in that the router has answered.
    /// - Returns: the vehicles that lack the way.
    mutating func answered(_ way: Way) -> Set<WayUser> {
        underWay.remove(way)
        let vehicles = wanted.removeValue(forKey: way) ?? []
        for vehicle in vehicles { missing[vehicle]?.removeAll { $0 == way } }
        return vehicles
    }

    /// Takes in that the router did not answer: the way comes first after the pause.
    mutating func failed(_ way: Way) {
        underWay.remove(way)
        line.prepend(way)
    }
}
