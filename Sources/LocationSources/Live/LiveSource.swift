import FleetEngine
public import FoundationEssentials
public import Navigation

/// A source of positions that arrive during the drive.
public final class LiveSource: LocationSource {
    /// Name to show to users.
    public let name: String
    private let feed: FixFeed
    private let time: any TimeSource
    private let atEnd: @Sendable () -> Void

    /// - Parameter atEnd: called when this source is released, to stop the reading.
    init(name: String, feed: FixFeed, time: any TimeSource, atEnd: @escaping @Sendable () -> Void = {}) {
        self.name = name
        self.feed = feed
        self.time = time
        self.atEnd = atEnd
    }

    deinit { atEnd() }

    /// Waits for the next fix; nil if none arrives before `deadline`.
    /// - Throws: `LocationSourceError.ended` at the end of a stream with at least one readable line; `broken` if gpsd has disconnected, or
    ///   if the lines cannot be read.
    public func nextFix(until deadline: Date) async throws -> LocationFix? { try await feed.next(until: deadline, time) }
}
