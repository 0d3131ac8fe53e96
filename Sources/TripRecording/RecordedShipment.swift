package import FleetEngine
import FleetEngineAPI
import FleetEngineWire
package import FoundationEssentials

/// The recorded answers about one shipment, with their times.
package struct RecordedShipment: Sendable {
    struct Moment: Sendable {
        enum Outcome: Sendable {
            case answer(RecordedMessage<WireTaskTrackingInfo>)
            case failure(RecordedFailure)
        }

        let date: Date
        let outcome: Outcome
    }

    package let name: TaskTrackingName
    /// Seconds between two polls during the recording; nil if unknown.
    package let pollIntervalSeconds: Double?
    /// Time of the last moment.
    package let end: Date
    private let start: Date
    /// The recorded calls. Each is later than the one before.
    let moments: [Moment]

    /// Returns nil if `moments` is empty.
    init?(name: TaskTrackingName, moments: [Moment], pollIntervalSeconds: Double?) {
        guard let first = moments.first, let last = moments.last else { return nil }
        self.name = name
        self.moments = moments
        self.pollIntervalSeconds = pollIntervalSeconds
        start = first.date
        end = last.date
    }

    /// Reads a recording, which may be compressed with gzip. Returns nil for any other file, such as the recording of a trip, and for a
    /// file that cannot be unpacked.
    /// - Throws: `TripRecordingError` for an invalid recording of a shipment.
    package init?(_ data: Data) throws(TripRecordingError) { try self.init(bytes: Array(data)) }

    /// Reads a recording without a copy of its bytes.
    package init?(bytes: [UInt8]) throws(TripRecordingError) {
        guard let text = try? GzipText.recording(bytes), TripFile.isOfShipment(text) else { return nil }
        self = try TripFile.readShipment(text)
    }

    /// Returns a clock that plays the recording.
    /// - Parameter speed: number of recorded seconds that pass per second of `base`.
    package func clock(speed: Double, base: any TimeSource = SystemTimeSource()) -> PlaybackClock {
        PlaybackClock(moments: moments.map(\.date), start: start, speed: speed, base: base)
    }

    /// The recorded answers with their times; failed calls are left out.
    package var answers: some BidirectionalCollection<(date: Date, shipment: TaskTrackingInfo)> {
        moments.lazy.compactMap { [name] moment -> (date: Date, shipment: TaskTrackingInfo)? in
            guard case .answer(let answer) = moment.outcome, let wire = answer.decoded else { return nil }
            return (moment.date, TaskTrackingInfo(wire, name: name))
        }
    }

    /// Returns the seconds from a failed call at `date` to the next call; nil if unknown.
    package func retrySeconds(at date: Date) -> Double? {
        guard case .failure(let failure)? = outcome(at: date) else { return nil }
        return failure.retryInSeconds
    }

    /// Returns the outcome of the call at a recorded moment; nil at any other time.
    func outcome(at date: Date) -> Moment.Outcome? {
        var low = 0
        var high = moments.count
        while low < high {
            let middle = low + (high - low) / 2
            if moments[middle].date < date { low = middle + 1 } else { high = middle }
        }
        guard low < moments.count, moments[low].date == date else { return nil }
        return moments[low].outcome
    }
}

/// A Fleet Engine that returns the recorded answers about a shipment. It returns each answer once, when a playback's clock reaches the
/// answer's time.
package struct RecordedShipmentClient: ShipmentClient {
    private let shipment: RecordedShipment
    private let clock: PlaybackClock

    package init(_ shipment: RecordedShipment, clock: PlaybackClock) {
        self.shipment = shipment
        self.clock = clock
    }

    /// Waits for the next recorded answer.
    /// - Throws: the recorded failure; `CANCELLED` if the task is cancelled; `NOT_FOUND` for another shipment, for an answer that cannot be
    ///   read, or if no answer was recorded at this moment.
    package func getTaskTrackingInfo(
        _ name: TaskTrackingName, header: TripRequestHeader?
    ) async throws(FleetEngineError) -> TaskTrackingInfo {
        guard name == shipment.name else {
            throw FleetEngineError(code: .notFound, message: "the recording has only the shipment \(shipment.name)")
        }
        let moment: Date
        do { moment = try await clock.nextMoment() } catch {
            throw FleetEngineError(code: .cancelled, message: "reading the recording was cancelled", origin: .local)
        }
        switch shipment.outcome(at: moment) {
        case .answer(let answer):
            guard let wire = answer.decoded else {
                throw FleetEngineError(code: .notFound, message: "the recorded answer cannot be read")
            }
            return TaskTrackingInfo(wire, name: name)
        case .failure(let failure): throw failure.error
        case nil: throw FleetEngineError(code: .notFound, message: "the recording has not started yet")
        }
    }

    /// Returns false, because there is no token to renew.
    package func renewToken(for name: TaskTrackingName) async -> Bool { false }

    package func connectionsMade() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}
