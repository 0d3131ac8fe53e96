import BoundedJSON
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf

/// Reads `.trip` files.
struct TripFile {
    private var name: TripName?
    /// The name of the recorded shipment; nil in a recording of a trip.
    private var tracking: TaskTrackingName?
    private var answers: [RecordedShipment.Moment] = []
    private var intervalSeconds: Double?
    private var scene = RecordedScene()
    private var moments: [RecordedMoment] = []
    private var vehicles: [RecordedVehicle] = []
    private var last: Date?

    /// Maximum number of vehicle lines that are read; further ones are ignored. The file of a ride usually has a few.
    private static let maximumVehicleCount = 10_000

    /// Whether a text begins like a `.trip` file.
    static func isOne(_ text: [UInt8]) -> Bool { firstLine(of: text)?.tripwatch != nil }

    /// Whether a text begins like a `.trip` file of a shipment.
    static func isOfShipment(_ text: [UInt8]) -> Bool { firstLine(of: text)?.tracking != nil }

    private static func firstLine(of text: [UInt8]) -> Envelope? {
        let start = text.prefix(1 << 18).drop { $0 == UInt8(ascii: "\n") }
        let line = start[..<(start.firstIndex(of: UInt8(ascii: "\n")) ?? start.endIndex)]
        return try? JSONDecoder().decodeBounded(Envelope.self, from: Data(line))
    }

    /// The members of a line except `answer`, `vehicle` and `error`, whose bytes are parsed separately.
    private struct Envelope: Decodable {
        var tripwatch: String?
        var version: Int?
        var trip: String?
        var tracking: String?
        var intervalSeconds: Double?
        var t: String?

        enum CodingKeys: String, CodingKey {
            case tripwatch, version, trip, tracking, t
            case intervalSeconds = "interval_s"
        }
    }

    /// Reads the recording of a trip.
    /// - Throws: `TripRecordingError` if the file is of another kind, or for the first invalid line, except an incomplete last line.
    static func read(_ text: [UInt8]) throws(TripRecordingError) -> RecordedTrip {
        let file = try parsed(text)
        if let tracking = file.tracking { throw .isShipment(trackingID: tracking.trackingID) }
        return try file.recorded
    }

    /// Reads the recording of a shipment.
    /// - Throws: `TripRecordingError` if the file is of another kind, or for the first invalid line, except an incomplete last line.
    static func readShipment(_ text: [UInt8]) throws(TripRecordingError) -> RecordedShipment {
        let file = try parsed(text)
        guard let name = file.tracking else { throw .notATripLine(line: 1) }
        guard let shipment = RecordedShipment(name: name, moments: file.answers, pollIntervalSeconds: file.intervalSeconds) else {
            throw .noAnswer
        }
        return shipment
    }

    private static func parsed(_ text: [UInt8]) throws(TripRecordingError) -> TripFile {
        var file = TripFile()
        var (start, number) = (0, 0)
        while start < text.count {
            let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
            defer { start = end + 1 }
            number += 1
            guard number <= FleetEngineLog.maximumEntryCount else { throw .tooManyEntries }
            let line = text[start..<end]
            guard line.count <= FleetEngineLog.maximumEntryBytes else { throw .entryTooLarge(line: number) }
            guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { continue }
            do throws(TripRecordingError) { try file.add(line, number: number) } catch {
                // A program that was killed while writing leaves an incomplete last line. The lines before it are a valid recording.
                guard end == text.count, !error.isLimit else { throw error }
                guard file.hasBegun else { throw .truncated(line: number) }
            }
        }
        return file
    }

    private var hasBegun: Bool { name != nil || tracking != nil }

    private var recorded: RecordedTrip {
        get throws(TripRecordingError) {
            guard let name else { throw .noTrip(entryCount: moments.count, hasDeliveries: false) }
            guard var trip = RecordedTrip(name: name, moments: moments, vehicles: vehicles, intervalSeconds: intervalSeconds) else {
                throw .noAnswer
            }
            trip.scene = scene
            return trip
        }
    }

    private mutating func add(_ text: ArraySlice<UInt8>, number: Int) throws(TripRecordingError) {
        let parts = try LogEntryScanner.members(of: text, line: number)
        // The message is parsed separately. Parsing it here as well would double the time.
        let line = Self.envelope(of: text, without: parts["answer"] ?? parts["vehicle"] ?? parts["error"])
        guard let envelope = try? JSONDecoder().decodeBounded(Envelope.self, from: line), let time = Self.moment(envelope.t) else {
            throw .notATripLine(line: number)
        }
        if let last, time < last { throw .outOfOrder(line: number) }
        last = time
        guard hasBegun else { return try begin(envelope, line, number: number) }
        if tracking != nil { return try addToShipment(parts, number: number) }
        let stamp = try stamp(time, number: number)
        if let failure = try failure(parts, number: number) {
            append(.failure(failure), at: stamp)
        } else if let part = parts["answer"] {
            append(.answer(try message(part, after: lastAnswer, number: number)), at: stamp)
        } else if let part = parts["vehicle"] {
            let message: RecordedMessage<WireVehicle> = try message(part, number: number)
            guard vehicles.count < Self.maximumVehicleCount, let wire = message.decoded, let name = try? VehicleName(wire.name)
            else { return }
            vehicles.append(RecordedVehicle(date: time, name: name, message: message))
        }
    }

    private var lastAnswer: RecordedMessage<WireTrip>? {
        if case .answer(let answer)? = moments.last?.outcome { answer } else { nil }
    }

    /// Adds a line about a shipment. If several calls have the same time, each is given a time slightly later than the previous one.
    private mutating func addToShipment(_ parts: [String: ArraySlice<UInt8>], number: Int) throws(TripRecordingError) {
        guard var date = last else { return }
        if let before = answers.last?.date, date <= before { date = before.slightlyLater }
        if let failure = try failure(parts, number: number) {
            answers.append(RecordedShipment.Moment(date: date, outcome: .failure(failure)))
        } else if let part = parts["answer"] {
            answers.append(RecordedShipment.Moment(date: date, outcome: .answer(try message(part, after: lastShipment, number: number))))
        }
    }

    private var lastShipment: RecordedMessage<WireTaskTrackingInfo>? {
        if case .answer(let answer)? = answers.last?.outcome { answer } else { nil }
    }

    /// Returns a line with `null` in place of its message.
    private static func envelope(of line: ArraySlice<UInt8>, without message: ArraySlice<UInt8>?) -> Data {
        guard let message else { return Data(line) }
        var rest = Data(line[..<message.startIndex])
        rest.append(contentsOf: "null".utf8)
        rest.append(contentsOf: line[message.endIndex...])
        return rest
    }

    private mutating func begin(_ envelope: Envelope, _ line: Data, number: Int) throws(TripRecordingError) {
        guard envelope.tripwatch == "trip", let version = envelope.version else { throw .notATripLine(line: number) }
        guard version == TripLine.version else { throw .otherVersion(version) }
        intervalSeconds = envelope.intervalSeconds.flatMap { $0.isFinite && $0 >= 0 ? min($0, 86_400) : nil }
        if let tracking = envelope.tracking.flatMap({ try? TaskTrackingName($0) }) {
            self.tracking = tracking
            return
        }
        guard let trip = envelope.trip, let name = try? TripName(trip) else { throw .notATripLine(line: number) }
        self.name = name
        if let members = try? JSONDecoder().decodeBounded(RecordedScene.Members.self, from: line) {
            scene = RecordedScene(members, booked: Self.moment(members.booked))
        }
    }

    private func message<Message: SwiftProtobuf.Message>(
        _ json: ArraySlice<UInt8>, after previous: RecordedMessage<Message>? = nil, number: Int
    ) throws(TripRecordingError) -> RecordedMessage<Message> {
        guard let message = RecordedMessage<Message>(json, after: previous) else { throw .notATripLine(line: number) }
        return message
    }

    private func failure(_ parts: [String: ArraySlice<UInt8>], number: Int) throws(TripRecordingError) -> RecordedFailure? {
        guard let part = parts["error"], !part.elementsEqual("null".utf8) else { return nil }
        guard let failure = RecordedFailure(part) else { throw .notATripLine(line: number) }
        return failure
    }

    private static func moment(_ text: String?) -> Date? { text.flatMap { Google_Protobuf_Timestamp(rfc3339: $0) }?.plausibleDate }

    private func stamp(_ date: Date, number: Int) throws(TripRecordingError) -> LogInstant {
        guard let stamp = LogInstant(Google_Protobuf_Timestamp(moment: date)) else { throw .notATripLine(line: number) }
        return stamp
    }

    /// Appends an outcome. If several outcomes have the same time, each is given a time slightly later than the previous one.
    private mutating func append(_ outcome: RecordedMoment.Outcome, at time: LogInstant) {
        guard var date = last else { return }
        if let before = moments.last?.date, date <= before { date = before.slightlyLater }
        moments.append(RecordedMoment(time: time, date: date, outcome: outcome))
    }
}

extension Date {
    /// The time one microsecond later. In the distant future, where `Date` is less precise, the next time that it can represent.
    fileprivate var slightlyLater: Date {
        let seconds = timeIntervalSinceReferenceDate
        return Date(timeIntervalSinceReferenceDate: max(seconds + 0.000_001, seconds.nextUp))
    }
}
