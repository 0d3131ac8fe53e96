/// The priority queue of a search. It holds the arcs to visit next, with the lowest-cost arc first.
struct RoadHeap {
    private var keys: [Float] = []
    private var arcs: [UInt32] = []

    var isEmpty: Bool { keys.isEmpty }
    /// The least key; +∞ if the heap is empty.
    var least: Float { keys.first ?? .infinity }

    mutating func insert(_ arc: UInt32, key: Float) {
        keys.append(key)
        arcs.append(arc)
        var index = keys.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard keys[parent] > key else { break }
            keys[index] = keys[parent]
            arcs[index] = arcs[parent]
            index = parent
        }
        keys[index] = key
        arcs[index] = arc
    }

    /// Removes and returns the arc with the least key; nil if the heap is empty.
    mutating func popLeast() -> (arc: UInt32, key: Float)? {
        guard let arc = arcs.first, let key = keys.first, let lastKey = keys.popLast(), let lastArc = arcs.popLast() else { return nil }
        let count = keys.count
        guard count > 0 else { return (arc, key) }
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < count else { break }
            if child + 1 < count, keys[child + 1] < keys[child] { child += 1 }
            guard keys[child] < lastKey else { break }
            keys[index] = keys[child]
            arcs[index] = arcs[child]
            index = child
        }
        keys[index] = lastKey
        arcs[index] = lastArc
        return (arc, key)
    }
}
