/// Listeners that are called as long as another owner keeps them alive.
struct WeakListeners: Sendable {
    private struct Box: Sendable {
        weak let object: (any AnyObject & Sendable)?
    }

    private var boxes: [Box] = []

    /// Adding an object twice is adding it once.
    mutating func add(_ object: any AnyObject & Sendable) {
        boxes.removeAll { $0.object == nil || $0.object === object }
        boxes.append(Box(object: object))
    }

    mutating func remove(_ object: any AnyObject & Sendable) {
        boxes.removeAll { $0.object == nil || $0.object === object }
    }

    /// Those that still live, in the order in which they came.
    var objects: [any AnyObject & Sendable] { boxes.compactMap(\.object) }
}
