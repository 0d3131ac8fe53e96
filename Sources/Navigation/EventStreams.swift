/// The consumers that read events as asynchronous sequences. A consumer that is too slow loses the oldest events.
package struct EventStreams<Element: Sendable>: Sendable {
    private var consumers: [Int: AsyncStream<Element>.Continuation] = [:]
    private var lastID = 0

    /// Creates a set that has no consumers yet.
    package init() {}

    /// - Parameter onEnd: called with the consumer's id when the consumer stops reading.
    package mutating func add(limit: Int, onEnd: @escaping @Sendable (Int) -> Void) -> AsyncStream<Element> {
        let (stream, consumer) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
        lastID += 1
        let id = lastID
        consumers[id] = consumer
        consumer.onTermination = { _ in onEnd(id) }
        return stream
    }

    package mutating func remove(_ id: Int) { consumers[id] = nil }

    /// A copy of the consumers, so that events can be sent to them after the caller's lock is released.
    package var all: [AsyncStream<Element>.Continuation] { consumers.isEmpty ? [] : Array(consumers.values) }
}
