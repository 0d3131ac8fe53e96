public import FleetEngine
public import FoundationEssentials
import Geo

/// One recorded trip. If it was read from a log, it derives GetTrip's answer at every moment. If it was read from a `.trip` file, it has
/// the recorded answers.
public struct RecordedTrip: Sendable {
    /// Name of the trip, as recorded.
    public let name: TripName
    /// Times of the changes that GetTrip shows: every location of the trip's vehicle while it had the trip, every status, every route. The
    /// times increase strictly: if several changes have the same time, each comes a microsecond after the one before.
    public let moments: [Date]
    /// The first moment. Before it the trip did not exist.
    public let start: Date
    /// The last moment. After it nothing changed.
    public let end: Date

    /// Seconds between two polls during the recording; nil if unknown.
    public let pollIntervalSeconds: Double?
    /// Whether the answers are those that a rider's program received. If false, they are derived from a log.
    public let isAsReceived: Bool
    /// The rider's own data; empty for a log.
    package internal(set) var scene = RecordedScene()

    private let recorded: [RecordedMoment]
    private let vehicles: [RecordedVehicle]

    /// Returns nil if there is no moment.
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

    /// Reads a recording of either kind, which may be compressed with gzip.
    /// - Parameters:
    ///   - wanted: a bare trip id or a full trip name; nil takes the first trip.
    ///   - tellLack: called with a description of the unreadable parts of a log, as a sentence without its full stop.
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

    /// Whether the recording ends with the trip's completion or cancellation.
    public var isFinished: Bool { recorded.last?.status?.isFinal ?? false }

    /// The last failure, if all calls of the recording failed; nil if any call was answered.
    public var onlyFailure: FleetEngineError? {
        var last: FleetEngineError?
        for moment in recorded {
            guard case .failure(let error, _) = moment.outcome else { return nil }
            last = error
        }
        return last
    }

    /// Outcome at the last moment up to `date`; nil before the first moment.
    func outcome(at date: Date) -> RecordedMoment.Outcome? { moment(at: date)?.outcome }

    /// Seconds from a failed call at `date` to the next one; nil if unknown.
    public func retrySeconds(at date: Date) -> Double? {
        guard case .failure(_, let seconds)? = outcome(at: date) else { return nil }
        return seconds
    }

    /// The server's derived answer at `date`, with all parts and their versions. Nil before the first moment, and in a recording of
    /// received answers.
    ///
    /// The remaining time counts from `date` and is never negative.
    public func snapshot(at date: Date) -> Trip? {
        guard case .trip(var trip)? = outcome(at: date) else { return nil }
        trip.remainingTimeToNextWaypointSeconds = trip.etaToNextWaypoint.map { max(0, $0.timeIntervalSince(date)) }
        return trip
    }

    /// The trip's vehicle as last recorded at `date`; nil while the trip has no vehicle or the log has no entry of the vehicle.
    public func vehicle(at date: Date) -> Vehicle? { moment(at: date)?.vehicle }

    /// The vehicle as last recorded at `date`. If the answers are as received, and the vehicle was recorded only later, the first record of
    /// it is returned.
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

    /// Index of the first moment after `date`, or the number of moments. A date that is not a number comes before all moments.
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
