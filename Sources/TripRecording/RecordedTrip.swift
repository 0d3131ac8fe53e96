public import FleetEngine
import FleetEngineWire
public import FoundationEssentials
import Geo

/// One recorded trip. From a log, it derives the answer that GetTrip would have given at any time. From a `.trip` file, it takes the
/// answers that were received.
public struct RecordedTrip: Sendable {
    /// Name of the trip, as recorded.
    public let name: TripName
    /// The times at which GetTrip's outcome can change. In a `.trip` file, these are the times of the recorded GetTrip calls. In a log,
    /// they are the times of the entries that change the derived answer, for example its status, its route or the vehicle's location.
    ///
    /// Each time is later than the one before. If several have the same time in the recording, each one after the first is moved to
    /// just after the previous one.
    public let moments: [Date]
    /// The first of `moments`. Before this time, the recording has no answer.
    public let start: Date
    /// The last of `moments`.
    public let end: Date

    /// Seconds between two polls during the recording; nil if unknown.
    public let pollIntervalSeconds: Double?
    /// Whether the answers are those that a rider's program received. If false, they are derived from a log.
    public let isAsReceived: Bool
    /// Whether the trip was complete or cancelled at the end of the recording.
    public let isFinished: Bool
    /// The rider's own data about the ride. A log has no such data.
    package internal(set) var scene = RecordedScene()
    /// The number of trips in the file, this one included.
    package internal(set) var tripCountInFile = 1
    /// The size in bytes of the recording's text, which is kept in memory; 0 if the trip was not read from a text.
    package private(set) var textBytes = 0

    let recorded: Moments
    let vehicles: [RecordedVehicle]

    enum Moments: Sendable {
        case received([RecordedMoment])
        case logged(LoggedMoments)
    }

    /// Returns nil if `moments` is empty.
    init?(name: TripName, moments: [RecordedMoment], vehicles: [RecordedVehicle], intervalSeconds: Double?) {
        guard let first = moments.first, let last = moments.last else { return nil }
        self.name = name
        self.moments = moments.map(\.date)
        start = first.date
        end = last.date
        recorded = .received(moments)
        self.vehicles = vehicles
        pollIntervalSeconds = intervalSeconds
        isFinished = last.status?.isFinal ?? false
        isAsReceived = true
    }

    /// Returns nil if the log does not have the trip.
    init?(_ name: TripName, in log: FleetEngineLog) {
        let logged = LoggedMoments(log, of: name)
        var moments: [Date] = []
        var isFinished = false
        while let moment = logged.moment(moments.count) {
            moments.append(moment.date)
            isFinished = moment.status?.isFinal ?? false
        }
        guard let first = moments.first, let last = moments.last else { return nil }
        self.name = name
        self.moments = moments
        start = first
        end = last
        recorded = .logged(logged)
        vehicles = []
        pollIntervalSeconds = nil
        self.isFinished = isFinished
        isAsReceived = false
    }

    /// Reads a log or a `.trip` file, which may be compressed with gzip.
    /// - Parameters:
    ///   - wanted: a bare trip id or a full trip name; nil takes the first trip.
    ///   - tellLack: called with a description of the unreadable parts of a log, as a sentence without its full stop. Not called if
    ///     everything was read.
    /// - Throws: `TripRecordingError`.
    public init(_ data: Data, matching wanted: String? = nil, tellLack: (String) -> Void = { _ in }) throws(TripRecordingError) {
        try self.init(bytes: Array(data), matching: wanted, tellLack: tellLack)
    }

    /// Reads a log or a `.trip` file without a copy of its bytes.
    package init(bytes: [UInt8], matching wanted: String? = nil, tellLack: (String) -> Void = { _ in }) throws(TripRecordingError) {
        let text = try GzipText.recording(bytes)
        guard TripFile.isOne(text) else {
            let log = try FleetEngineLog(text: text)
            if let lack = log.lack { tellLack(lack) }
            self = try log.recordedTrip(matching: wanted)
            textBytes = text.count
            return
        }
        self = try TripFile.read(text)
        textBytes = text.count
        if let wanted, wanted != name.trip, wanted != name.description {
            throw .noSuchTrip(wanted: wanted, available: [name.trip])
        }
    }

    /// The last failure, if every call in the recording failed; nil if a call was answered, and for a log.
    public var onlyFailure: FleetEngineError? {
        guard case .received(let recorded) = self.recorded else { return nil }
        var last: RecordedFailure?
        for moment in recorded {
            guard case .failure(let failure) = moment.outcome else { return nil }
            last = failure
        }
        return last?.error
    }

    /// Returns the outcome of calls at `date`; nil before the first moment.
    func outcome(at date: Date) -> RecordedMoment.Outcome? { moment(at: date)?.outcome }

    /// Returns the seconds from a failed call at `date` to the next call; nil if unknown.
    public func retrySeconds(at date: Date) -> Double? {
        guard case .failure(let failure)? = outcome(at: date) else { return nil }
        return failure.retryInSeconds
    }

    /// Returns the answer derived for `date`, with all parts and their versions. Returns nil before the first moment, and for a recording
    /// of received answers.
    ///
    /// The remaining time counts from `date` and is never negative.
    public func snapshot(at date: Date) -> Trip? {
        guard case .trip(var trip, _)? = outcome(at: date) else { return nil }
        trip.remainingTimeToNextWaypointSeconds = trip.etaToNextWaypoint.map { max(0, $0.timeIntervalSince(date)) }
        return trip
    }

    /// Returns the trip's vehicle as it was last recorded before or at `date`. Returns nil while the trip has no vehicle, if the log has no
    /// entry about the vehicle, and for a recording of received answers.
    public func vehicle(at date: Date) -> Vehicle? { moment(at: date)?.vehicle }

    /// Returns the vehicle as it was last recorded at or before `date`; nil if it was never recorded. In a recording of received answers, a
    /// vehicle that was first recorded after `date` is returned as first recorded. In a log, the result is nil while the vehicle does not
    /// have the trip.
    public func vehicle(_ name: VehicleName, at date: Date) -> Vehicle? {
        if !isAsReceived { return vehicle(at: date).flatMap { $0.name == name ? $0 : nil } }
        let found = vehicles.last { $0.name == name && $0.date <= date } ?? vehicles.first { $0.name == name }
        return found?.message.decoded.map { Vehicle($0, name: name) }
    }

    /// Returns the first moment after `date`; nil after the last moment.
    public func nextMoment(after date: Date) -> Date? {
        let index = firstIndex(after: date)
        return index < moments.count ? moments[index] : nil
    }

    private func moment(at date: Date) -> RecordedMoment? {
        let index = firstIndex(after: date) - 1
        guard index >= 0 else { return nil }
        return switch recorded {
        case .received(let moments): moments[index]
        case .logged(let moments): moments.moment(index)
        }
    }

    /// Returns the index of the first moment after `date`, or the number of moments if there is no such moment. A date that is not a number
    /// comes before all moments.
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
