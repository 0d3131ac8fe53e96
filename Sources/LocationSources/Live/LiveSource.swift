import FleetEngine
public import FoundationEssentials
public import Navigation

/// Positions that come while one drives.
public final class LiveSource: LocationSource {
    /// What it is called in words for people.
    public let name: String
    private let feed: FixFeed
    private let time: any TimeSource
    private let atEnd: @Sendable () -> Void

    /// - Parameter atEnd: ends the reading.
    init(name: String, feed: FixFeed, time: any TimeSource, atEnd: @escaping @Sendable () -> Void = {}) {
        self.name = name
        self.feed = feed
        self.time = time
        self.atEnd = atEnd
    }

    deinit { atEnd() }

    /// - Throws: `LocationSourceError.broken` when the other side is gone, or is something else.
    public func nextFix(until deadline: Date) async throws -> LocationFix? { try await feed.next(until: deadline, time) }
}
