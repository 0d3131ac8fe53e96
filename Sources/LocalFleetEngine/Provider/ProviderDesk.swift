public import FleetEngine
public import FleetEngineAPI
import FoundationEssentials
public import Geo
import SwiftProtobuf

/// The ride company's desk in front of a local engine: books trips, cancels them, and gives them to vehicles.
///
/// Waiting trips are served first come, first served; each gets the nearest vehicle that fits. Matching runs after every booking and
/// whenever the desk looks, so that a trip never waits for a driver's app to ask.
public actor ProviderDesk {
    /// How often vehicles are looked at while a trip waits, seconds of the desk's clock.
    static let lookIntervalSeconds = 1.0
    /// More trips than this do not wait at once.
    static let waitingLimit = 10_000

    public nonisolated let provider: String
    let engine: LocalFleetEngine
    let time: any TimeSource
    private let makeID: @Sendable () -> String
    /// Trips without a vehicle, in the order of booking.
    var waiting: [TripName] = []
    /// The last round of matching, so that the next one starts after it.
    var matching: Task<Void, Never>?

    /// - Parameter makeID: a new trip id, at most 64 characters.
    public init(provider: String, engine: LocalFleetEngine, time: any TimeSource, makeID: @escaping @Sendable () -> String) {
        self.provider = provider
        self.engine = engine
        self.time = time
        self.makeID = makeID
    }

    /// Gives waiting trips to vehicles until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            await match()
            guard (try? await time.sleep(seconds: Self.lookIntervalSeconds)) != nil else { return }
        }
    }

    /// Books a trip and tries to match it at once.
    public func book(
        pickup: Coordinate, dropoff: Coordinate, stops: [Coordinate], type: TripType
    ) async throws(FleetEngineError) -> WireTrip {
        guard waiting.count < Self.waitingLimit else {
            throw FleetEngineError(code: .resourceExhausted, message: "\(Self.waitingLimit) trips are waiting for a vehicle already")
        }
        let request = WireCreateTripRequest.with {
            $0.parent = "providers/\(provider)"
            $0.tripID = makeID()
            $0.trip.tripType = type == .shared ? .shared : .exclusive
            $0.trip.numberOfPassengers = 1
            $0.trip.pickupPoint.point = Self.point(pickup)
            $0.trip.dropoffPoint.point = Self.point(dropoff)
            $0.trip.intermediateDestinations = stops.map { stop in .with { $0.point = Self.point(stop) } }
        }
        let trip = try await engine.createTrip(request)
        if let name = try? TripName(trip.name) { waiting.append(name) }
        await match()
        return try await engine.getTrip(.with { $0.name = trip.name })
    }

    public func trip(_ id: String) async throws(FleetEngineError) -> WireTrip {
        try await engine.getTrip(.with { $0.name = "providers/\(provider)/trips/\(id)" })
    }

    /// Sets a trip's status, as the provider's apps ask for it.
    public func update(
        _ id: String, status: TripStatus, intermediateDestinationIndex index: Int?
    ) async throws(FleetEngineError) -> WireTrip {
        let name = "providers/\(provider)/trips/\(id)"
        let known = try await engine.getTrip(.with { $0.name = name })
        let trip = try await engine.updateTrip(
            .with {
                $0.name = name
                $0.trip.tripStatus = WireTripStatus(rawValue: status.wireNumber) ?? .unknownTripStatus
                $0.updateMask.paths = ["trip_status"]
                if let index {
                    $0.trip.intermediateDestinationIndex = Int32(clamping: index)
                    $0.trip.intermediateDestinationsVersion = known.intermediateDestinationsVersion
                    $0.updateMask.paths.append("intermediate_destination_index")
                }
            })
        if status.isFinal { waiting.removeAll { $0.trip == id } }
        return trip
    }

    static func point(_ coordinate: Coordinate) -> WireLatLng {
        .with {
            $0.latitude = coordinate.latitude
            $0.longitude = coordinate.longitude
        }
    }
}
