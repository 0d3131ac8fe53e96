/// A binary heap of edges, ordered by their estimates. Edges with equal estimates are ordered by their numbers.
struct EdgeHeap {
    private var items: [(estimate: Double, edge: Int)] = []

    mutating func push(_ estimate: Double, _ edge: Int) {
        var place = items.count
        items.append((estimate, edge))
        while place > 0 {
            let parent = (place - 1) / 2
            guard items[place] < items[parent] else { break }
            items.swapAt(place, parent)
            place = parent
        }
    }

    mutating func pop() -> (estimate: Double, edge: Int)? {
        guard let top = items.first, let last = items.popLast() else { return nil }
        guard !items.isEmpty else { return top }
        items[0] = last
        var place = 0
        while true {
            let (left, right) = (2 * place + 1, 2 * place + 2)
            var least = place
            if left < items.count, items[left] < items[least] { least = left }
            if right < items.count, items[right] < items[least] { least = right }
            if least == place { return top }
            items.swapAt(place, least)
            place = least
        }
    }
}
