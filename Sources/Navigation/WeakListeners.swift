/// A list of listeners that does not keep them alive.
struct WeakListeners: Sendable {
    private struct Box: Sendable {
        weak let object: (any AnyObject & Sendable)?
    }

    private var boxes: [Box] = []

    /// Adds an object to the end of the list. An object that is already in the list moves to the end.
    mutating func add(_ object: any AnyObject & Sendable) {
        boxes.removeAll { $0.object == nil || $0.object === object }
        boxes.append(Box(object: object))
    }

    mutating func remove(_ object: any AnyObject & Sendable) {
        boxes.removeAll { $0.object == nil || $0.object === object }
    }

    /// The listeners that still exist, the last added at the end.
    var objects: [any AnyObject & Sendable] { boxes.compactMap(\.object) }
}
