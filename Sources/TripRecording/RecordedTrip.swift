public import FleetEngine
public import FoundationEssentials
import Geo

/// One recorded trip: of a log what GetTrip would have answered at every moment of it, of a `.trip` file what it did answer.
public struct RecordedTrip: Sendable {
    /// The trip's name, as it was recorded.
    public let name: TripName
    /// The times of changes that GetTrip shows: every recorded location of the trip's vehicle while it had the trip, every status, every
    /// route. Strictly rising; of changes at one time each later one comes a microsecond after the one before.
    public let moments: [Date]
    /// The first moment; before it the trip did not exist.
    public let start: Date
    /// The last moment, after which nothing changed.
    public let end: Date

    /// Between two polls while it was recorded, seconds; nil where nobody polled, or nobody knows.
    public let pollIntervalSeconds: Double?
    /// Whether its moments are the answers that a rider's program had, and not what they would have been.
    public let isAsReceived: Bool
    /// What the rider's program knew besides; empty for a log.
    package internal(set) var scene = RecordedScene()

    private let recorded: [RecordedMoment]
    private let vehicles: [RecordedVehicle]

    /// Nil without a moment.
    init?(name: TripName, moments: [RecordedMoment], vehicles: [RecordedVehicle] = [], intervalSeconds: Double? = nil) {
        guard let first = moments.first, let last = moments.last else { return nil }
        self.name = name
        self.moments = moments.map(\.date)
        start = first.date
        end = last.date
        recorded = moments
        self.vehicles = vehicles
        pollIntervalSeconds = intervalSeconds
        if case .trip = first.outcome { isAsReceived = false } else { isAsReceived = true }
    }

    /// Reads a recording of either kind, also one that is packed with gzip.
    /// - Parameters:
    ///   - wanted: a bare trip id or a full trip name; nil stands for the first trip.
    ///   - tellLack: told what of a log could not be read, as a sentence without its full stop.
    /// - Throws: `TripRecordingError`.
    public init(_ data: Data, matching wanted: String? = nil, tellLack: (String) -> Void = { _ in }) throws(TripRecordingError) {
        let data = try GzipText.recording(data)
        guard TripFile.isOne(data) else {
            let log = try FleetEngineLog(data)
            if let lack = log.lack { tellLack(lack) }
            self = try log.recordedTrip(matching: wanted)
            return
        }
        self = try TripFile.read(data)
        if let wanted, wanted != name.trip, wanted != name.description {
            throw .noSuchTrip(wanted: wanted, available: [name.trip])
        }
    }

    /// Whether the recording goes on to the trip's completion or cancellation.
    public var isFinished: Bool { recorded.last?.status?.isFinal ?? false }

    /// The last failure of a recording whose calls have all failed; nil where there is an answer.
    public var onlyFailure: FleetEngineError? {
        var last: FleetEngineError?
        for moment in recorded {
            guard case .failure(let error, _) = moment.outcome else { return nil }
            last = error
        }
        return last
    }

    /// What the last call until `date` brought; nil before the first.
    func outcome(at date: Date) -> RecordedMoment.Outcome? { moment(at: date)?.outcome }

    /// How long after a failed call at `date` the next one was to come, seconds; nil where that is not known.
    public func retrySeconds(at date: Date) -> Double? {
        guard case .failure(_, let seconds)? = outcome(at: date) else { return nil }
        return seconds
    }

    /// The trip as the server would have answered at `date`, with all parts and their versions; nil before the first moment, and in a recording
    /// of what it did answer.
    ///
    /// The remaining time counts from `date` and is never negative.
    public func snapshot(at date: Date) -> Trip? {
        guard case .trip(var trip)? = outcome(at: date) else { return nil }
        trip.remainingTimeToNextWaypointSeconds = trip.etaToNextWaypoint.map { max(0, $0.timeIntervalSince(date)) }
        return trip
    }

    /// The trip's vehicle as last recorded at `date`; nil while the trip has no vehicle or the log no entry of it.
    public func vehicle(at date: Date) -> Vehicle? { moment(at: date)?.vehicle }

    /// What this vehicle was told to be at `date`, or as soon after it as anything was.
    public func vehicle(_ name: VehicleName, at date: Date) -> Vehicle? {
        if !isAsReceived { return vehicle(at: date).flatMap { $0.name == name ? $0 : nil } }
        let own = vehicles.filter { $0.vehicle.name == name }
        return (own.last { $0.date <= date } ?? own.first)?.vehicle
    }

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
