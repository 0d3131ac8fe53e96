import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf

/// An answer to `GetTrip` in its encoded form. A poll mostly finds the trip and its vehicle as the one before left them; then only what
/// counts down is another.
struct KeptTripAnswer: Sendable {
    /// Field numbers on the wire. Source: `trips.proto` and `fleetengine.proto`.
    private enum Field {
        static let remainingWaypoints = 16
        static let remainingTimeToFirstWaypoint = 27
        static let waypointDuration = 8
    }

    /// What the answer was made for and of.
    private let request: WireGetTripRequest
    private let record: TripRecord
    private let vehicle: VehicleRecord?
    /// From here on times move on with the clock; nil for never.
    private let steadyUntil: Date?
    /// The answer without waypoints and without what counts down.
    private let steady: [UInt8]
    /// The first waypoint without the time to it, and the time at which the vehicle is there; nil where no time counts down.
    private let countdown: (firstWaypoint: [UInt8], arrival: Date)?
    /// All other waypoints, as fields of the answer.
    private let otherWaypoints: [UInt8]

    /// What takes more bytes is not kept.
    static let mostBytes = 8_192
    /// Nor is what was made of a vehicle with more points: its ways stay as long as the answer.
    static let mostRoutePoints = 1_000

    /// Nil for what is not kept.
    /// - Throws: an error where the answer cannot be encoded.
    init?(_ answer: TripAnswer, to request: WireGetTripRequest) throws {
        if let vehicle = answer.vehicle, vehicle.routePoints > Self.mostRoutePoints { return nil }
        let arrivals = answer.vehicle?.figures(now: answer.now).compactMap(\.arrival) ?? []
        let steadyUntil = arrivals.min()
        if let steadyUntil, steadyUntil <= answer.now { return nil }
        var trip = answer.answer(to: request)
        var waypoints = trip.remainingWaypoints
        trip.remainingWaypoints = []
        trip.clearRemainingTimeToFirstWaypoint()
        var others = waypoints[...]
        if let arrival = arrivals.first, waypoints.first?.hasDuration == true {
            waypoints[0].clearDuration()
            countdown = (try waypoints[0].serializedBytes(), arrival)
            others = waypoints.dropFirst()
        } else {
            countdown = nil
        }
        let steady: [UInt8] = try trip.serializedBytes()
        var otherWaypoints: [UInt8] = []
        for waypoint in others { otherWaypoints.append(field: Field.remainingWaypoints, try waypoint.serializedBytes()) }
        guard steady.count + otherWaypoints.count + (countdown?.firstWaypoint.count ?? 0) <= Self.mostBytes else { return nil }
        (self.request, record, vehicle) = (request, answer.record, answer.vehicle)
        (self.steadyUntil, self.steady, self.otherWaypoints) = (steadyUntil, steady, otherWaypoints)
    }

    /// Whether it is what is asked for, and nothing of it has changed but what counts down.
    func stands(for answer: TripAnswer, to request: WireGetTripRequest) -> Bool {
        if let steadyUntil, answer.now >= steadyUntil { return false }
        return request == self.request && answer.record == record && answer.vehicle == vehicle
    }

    /// The answer as it is now, on the wire.
    func bytes(now: Date) -> [UInt8] {
        guard let countdown else { return steady + otherWaypoints }
        var time: [UInt8] = []
        let left = Google_Protobuf_Duration(lengthSeconds: max(0, countdown.arrival.timeIntervalSince(now)))
        time.append(number: 1, left.seconds)
        time.append(number: 2, Int64(left.nanos))
        var bytes = steady
        bytes.reserveCapacity(steady.count + countdown.firstWaypoint.count + otherWaypoints.count + 48)
        bytes.append(field: Field.remainingTimeToFirstWaypoint, time)
        var waypoint = countdown.firstWaypoint
        waypoint.append(field: Field.waypointDuration, time)
        bytes.append(field: Field.remainingWaypoints, waypoint)
        bytes += otherWaypoints
        return bytes
    }
}

/// The last answers that consumers were given, one for each trip.
struct KeptTripAnswers: Sendable {
    /// With more they would take tens of megabytes.
    static let mostTrips = 1_024
    private var answers: [TripName: KeptTripAnswer] = [:]

    /// The last answer, whether it still stands or not.
    subscript(_ name: TripName) -> KeptTripAnswer? { answers[name] }

    mutating func keep(_ kept: KeptTripAnswer?, for name: TripName) {
        if kept != nil, answers.count >= Self.mostTrips, answers[name] == nil { answers.removeAll(keepingCapacity: true) }
        answers[name] = kept
    }
}

/// Protocol buffers on the wire. Source: https://protobuf.dev/programming-guides/encoding/
extension [UInt8] {
    fileprivate mutating func append(varint number: UInt64) {
        var left = number
        while left >= 0x80 {
            append(UInt8(truncatingIfNeeded: left) | 0x80)
            left >>= 7
        }
        append(UInt8(truncatingIfNeeded: left))
    }

    /// A message or text.
    fileprivate mutating func append(field: Int, _ bytes: [UInt8]) {
        append(varint: UInt64(truncatingIfNeeded: field) << 3 | 2)
        append(varint: UInt64(bytes.count))
        self += bytes
    }

    /// An integer; 0 needs no place.
    fileprivate mutating func append(number field: Int, _ value: Int64) {
        guard value != 0 else { return }
        append(varint: UInt64(truncatingIfNeeded: field) << 3)
        append(varint: UInt64(bitPattern: value))
    }
}
