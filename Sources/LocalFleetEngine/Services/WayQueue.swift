import DequeModule
import FleetEngine

/// Which ways a router is to be asked for: each once however many vehicles lack it, a few at a time, and none during a pause.
struct WayQueue: Sendable {
    /// Questions that are under way at the same time.
    static let atOnce = 4

    private var wanted: [Way: Set<VehicleName>] = [:]
    private var line: Deque<Way> = []
    private var asked = 0
    /// Whether the router failed a moment ago.
    var isPaused = false

    /// Whether nothing is under way, and nothing can be asked now.
    var isIdle: Bool { asked == 0 && (isPaused || line.isEmpty) }

    mutating func want(_ way: Way, for vehicle: VehicleName) {
        if wanted[way, default: []].insert(vehicle).inserted, wanted[way]?.count == 1 { line.append(way) }
    }

    /// The way to be asked for now.
    /// - Parameter isMissing: whether the vehicle lacks it still; a way that none lacks is not asked for.
    mutating func next(_ isMissing: (Way, VehicleName) -> Bool) -> Way? {
        guard !isPaused, asked < Self.atOnce else { return nil }
        while let way = line.popFirst() {
            guard wanted[way]?.contains(where: { isMissing(way, $0) }) == true else {
                wanted[way] = nil
                continue
            }
            asked += 1
            return way
        }
        return nil
    }

    /// Takes in that the router has answered.
    /// - Returns: the vehicles that lacked the way.
    mutating func answered(_ way: Way) -> Set<VehicleName> {
        asked -= 1
        return wanted.removeValue(forKey: way) ?? []
    }

    /// Takes in that the router did not answer: the way comes first after the pause.
    mutating func failed(_ way: Way) {
        asked -= 1
        line.prepend(way)
    }
}
