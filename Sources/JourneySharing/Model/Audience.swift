/// The subscribers of a model, held weakly, and the readers of its updates.
@MainActor
final class Audience<Subscriber, Update: Sendable> {
    struct Subscription {
        weak var object: AnyObject?
        /// Returns `object` as a `Subscriber`; nil once the object is released.
        let subscriber: () -> Subscriber?
    }

    private(set) var subscriptions: [Subscription] = []
    private var readers: [Int: AsyncStream<Update>.Continuation] = [:]
    private var nextReader = 0

    var isEmpty: Bool { readers.isEmpty && !subscriptions.contains { $0.object != nil } }

    /// Adds a subscriber, unless it was added before.
    /// - Returns: whether the subscriber is new.
    func add(_ object: AnyObject, _ subscriber: @escaping () -> Subscriber?) -> Bool {
        subscriptions.removeAll { $0.object == nil }
        guard !contains(object) else { return false }
        subscriptions.append(Subscription(object: object, subscriber: subscriber))
        return true
    }

    func remove(_ object: AnyObject) { subscriptions.removeAll { $0.object === object || $0.object == nil } }

    private func contains(_ object: AnyObject) -> Bool { subscriptions.contains { $0.object === object } }

    /// Adds a reader.
    /// - Returns: the number of the reader.
    func add(_ reader: AsyncStream<Update>.Continuation) -> Int {
        nextReader += 1
        readers[nextReader] = reader
        return nextReader
    }

    func removeReader(_ number: Int) { readers[number] = nil }

    func finishReaders() {
        let open = readers.values
        readers = [:]
        for reader in open { reader.finish() }
    }

    /// Sends an update to the readers and to these subscribers. The update is created only if there is at least one receiver.
    func publish(_ update: @autoclosure () -> Update, to listed: [Subscription], _ call: (Subscriber, Update) -> Void) {
        guard !readers.isEmpty || !listed.isEmpty else { return }
        let update = update()
        for (number, reader) in readers {
            // A reader may have ended before it was added, so that `onTermination` could not remove it. It is removed here.
            if case .terminated = reader.yield(update) { readers[number] = nil }
        }
        tell(listed) { call($0, update) }
    }

    /// Calls the subscribers. A callback may add and remove subscribers. A removed subscriber gets no more calls; an added subscriber is
    /// first called for the next update.
    func tell(_ listed: [Subscription], _ call: (Subscriber) -> Void) {
        for subscription in listed {
            guard let object = subscription.object, contains(object), let subscriber = subscription.subscriber() else { continue }
            call(subscriber)
        }
    }
}
