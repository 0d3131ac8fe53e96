public import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo

/// A Fleet Engine that answers from a recording, as the server would have answered at the time that a clock shows.
///
/// It needs no token. It has only the recorded trip and its vehicle. An answer that is derived from a log leaves out the parts that the
/// caller already has in their current version.
public struct RecordedTripClient: ConsumerClient {
    private let trip: RecordedTrip
    private let time: any TimeSource
    /// Returns the time that the answer from a log describes.
    private let timeOfAnswer: @Sendable () -> Date
    /// Returns the time at which to look up a received answer. On a playback's clock, waits for the next moment, so that each answer is
    /// returned once.
    private let nextAnswer: @Sendable () async throws -> Date

    /// Creates a client on any clock. If several changes happen between two polls, the caller sees only the last state.
    public init(_ trip: RecordedTrip, time: any TimeSource) {
        self.trip = trip
        self.time = time
        timeOfAnswer = { time.now() }
        nextAnswer = { time.now() }
    }

    /// Creates a client on a playback's clock. The clock stops at every recorded moment until this client is called.
    public init(_ playback: PlaybackTimeSource) {
        trip = playback.trip
        time = playback
        timeOfAnswer = { playback.clock.timeOfAnswer() }
        nextAnswer = { try await playback.clock.nextMoment() }
    }

    /// Returns the trip.
    /// - Throws: `NOT_FOUND` for a trip that was not recorded, and for the recorded trip before it was created. For a call that failed
    ///   during the recording, throws its error.
    public func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip {
        guard request.name == trip.name else { throw notFound("the recording has only the trip \(trip.name)") }
        guard !trip.isAsReceived else { return try await receivedTrip(request) }
        guard let answer = trip.snapshot(at: timeOfAnswer()) else { throw notFound("the trip \(trip.name) has not been created yet") }
        return answer.leavingOutUnchanged(request)
    }

    private func receivedTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip {
        let moment: Date
        do { moment = try await nextAnswer() } catch {
            throw FleetEngineError(code: .cancelled, message: "reading the recording was cancelled", origin: .local)
        }
        switch trip.outcome(at: moment) {
        case .answer(let answer):
            guard let wire = answer.decoded?.placingOthers() else { throw notFound("the recorded answer cannot be read") }
            return Trip(wire, name: request.name, knownRoute: request.knownRoute)
        case .failure(let failure): throw failure.error
        case .trip, nil: throw notFound("the recording has not started yet")
        }
    }

    /// Returns the trip's vehicle.
    /// - Throws: `NOT_FOUND` for a vehicle that was not recorded. With a log, throws `NOT_FOUND` also while the vehicle does not have the
    ///   trip.
    public func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle {
        guard let vehicle = trip.vehicle(name, at: time.now()) else {
            throw notFound("the recording has no vehicle \(name) at this time")
        }
        return vehicle
    }

    /// Returns false, because there is no token to renew.
    public func renewToken(for name: TripName) async -> Bool { false }

    private func notFound(_ message: String) -> FleetEngineError { FleetEngineError(code: .notFound, message: message) }
}

extension RecordedTrip {
    /// The first answer that was received; nil in a log, and if no call was answered.
    package var firstAnswer: Trip? {
        guard case .received(let moments) = recorded else { return nil }
        for moment in moments {
            guard case .answer(let answer) = moment.outcome, let wire = answer.decoded?.placingOthers() else { continue }
            return Trip(wire, name: name, knownRoute: nil)
        }
        return nil
    }
}

extension Trip {
    /// Returns the incremental answer: the trip without the parts that the caller already has in this version or a newer one.
    fileprivate func leavingOutUnchanged(_ request: GetTripRequest) -> Trip {
        func isKnown(_ version: DataVersion?, _ requested: DataVersion?) -> Bool {
            guard let version, let requested else { return false }
            return version <= requested
        }
        var answer = self
        answer.activeRoute = RouteLine(
            isKnown(activeRouteVersion, request.activeRouteVersion) ? Polyline([]) : activeRoute.line,
            traffic: isKnown(activeRouteTrafficVersion, request.activeRouteTrafficVersion) ? [] : activeRoute.traffic)
        if isKnown(remainingWaypointsRouteVersion, request.remainingWaypointsRouteVersion) {
            for index in answer.remainingWaypoints.indices {
                answer.remainingWaypoints[index].path = RouteLine()
            }
        }
        return answer
    }
}
