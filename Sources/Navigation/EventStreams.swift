/// The consumers that hear events as asynchronous sequences. Who is too slow loses the oldest ones.
package struct EventStreams<Element: Sendable>: Sendable {
    private var consumers: [Int: AsyncStream<Element>.Continuation] = [:]
    private var lastID = 0

    /// Without consumers.
    package init() {}

    /// - Parameter onEnd: called with the id when the consumer hears no more.
    package mutating func add(limit: Int, onEnd: @escaping @Sendable (Int) -> Void) -> AsyncStream<Element> {
        let (stream, consumer) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
        lastID += 1
        let id = lastID
        consumers[id] = consumer
        consumer.onTermination = { _ in onEnd(id) }
        return stream
    }

    package mutating func remove(_ id: Int) { consumers[id] = nil }

    /// Those that hear events, for calls outside of locks.
    package var all: [AsyncStream<Element>.Continuation] { consumers.isEmpty ? [] : Array(consumers.values) }
}
