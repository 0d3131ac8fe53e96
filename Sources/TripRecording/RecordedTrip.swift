public import FleetEngine
public import FoundationEssentials

/// One trip of a log: what GetTrip would have answered at every moment of it.
public struct RecordedTrip: Sendable {
    public let name: TripName
    /// The times of changes that GetTrip shows: every recorded location of the trip's vehicle while it had the trip, every status, every
    /// route. Strictly rising; of changes at one time each later one comes a microsecond after the one before.
    public let moments: [Date]
    /// The first moment; before it the trip did not exist.
    public let start: Date
    /// The last moment, after which nothing changed.
    public let end: Date

    private let recorded: [RecordedMoment]

    /// Nil without a moment.
    init?(name: TripName, moments: [RecordedMoment]) {
        guard let first = moments.first, let last = moments.last else { return nil }
        self.name = name
        self.moments = moments.map(\.date)
        start = first.date
        end = last.date
        recorded = moments
    }

    /// Whether the recording goes on to the trip's completion or cancellation.
    public var isFinished: Bool { recorded.last?.trip.status.isFinal ?? false }

    /// The trip as the server would have answered at `date`, with all parts and their versions; nil before the first moment.
    ///
    /// The remaining time counts from `date` and is never negative.
    public func snapshot(at date: Date) -> Trip? {
        guard var trip = moment(at: date)?.trip else { return nil }
        trip.remainingTimeToNextWaypointSeconds = trip.etaToNextWaypoint.map { max(0, $0.timeIntervalSince(date)) }
        return trip
    }

    /// The trip's vehicle as last recorded at `date`; nil while the trip has no vehicle or the log no entry of it.
    public func vehicle(at date: Date) -> Vehicle? { moment(at: date)?.vehicle }

    /// The first change after `date`; nil after the last.
    public func nextMoment(after date: Date) -> Date? {
        let index = firstIndex(after: date)
        return index < moments.count ? moments[index] : nil
    }

    private func moment(at date: Date) -> RecordedMoment? {
        let index = firstIndex(after: date)
        return index > 0 ? recorded[index - 1] : nil
    }

    /// The index of the first moment after `date`, or the count. Binary search; a date that is no number comes before all.
    private func firstIndex(after date: Date) -> Int {
        var low = 0
        var high = date.timeIntervalSinceReferenceDate.isNaN ? 0 : moments.count
        while low < high {
            let middle = low + (high - low) / 2
            if moments[middle] <= date { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
