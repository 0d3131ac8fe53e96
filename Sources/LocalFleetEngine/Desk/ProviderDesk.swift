public import FleetEngine
public import FleetEngineAPI
import FleetEngineCore
import FleetEngineWire
import FoundationEssentials
public import Geo
import SwiftProtobuf

/// The provider backend of a local engine. It books trips, cancels them, and assigns them to vehicles.
///
/// Waiting trips are served in the order of their booking. A trip gets the nearest suitable vehicle, either when it is booked
/// or as soon as a vehicle can take it. The assignment does not need a request from a driver's app.
public actor ProviderDesk {
    /// Maximum number of waiting trips.
    static let waitingLimit = 10_000

    /// Id of the provider that owns the trips and vehicles.
    public nonisolated let provider: String
    /// The backend for deliveries.
    package nonisolated let deliveries: DeliveryDesk
    let engine: LocalFleetEngine
    let time: any TimeSource
    private let makeID: @Sendable () -> String

    /// - Parameter makeID: returns a new trip id, at most 64 characters.
    public init(provider: String, engine: LocalFleetEngine, time: any TimeSource, makeID: @escaping @Sendable () -> String) {
        self.provider = provider
        self.engine = engine
        deliveries = DeliveryDesk(provider: provider, engine: engine)
        self.time = time
        self.makeID = makeID
    }

    /// Books a trip. The trip gets a vehicle at once if one is available.
    /// - Parameter attributes: attributes of the trip, by key.
    /// - Throws: RESOURCE_EXHAUSTED if too many trips are waiting, INVALID_ARGUMENT for attributes beyond the limits.
    public func book(
        pickup: Coordinate, dropoff: Coordinate, stops: [Coordinate], type: TripType, attributes: [String: String] = [:]
    ) async throws(FleetEngineError) -> WireTrip {
        let request = WireCreateTripRequest.with {
            $0.parent = "providers/\(provider)"
            $0.tripID = makeID()
            $0.trip.tripType = type == .shared ? .shared : .exclusive
            $0.trip.numberOfPassengers = Dispatch.partySize
            $0.trip.pickupPoint.point = Self.point(pickup)
            $0.trip.dropoffPoint.point = Self.point(dropoff)
            $0.trip.intermediateDestinations = stops.map { stop in .with { $0.point = Self.point(stop) } }
            $0.trip.attributes = attributes.sorted { $0.key < $1.key }.map { key, value in
                .with {
                    $0.key = key
                    $0.stringValue = value
                }
            }
        }
        return try await engine.answer(request) { request throws(FleetEngineError) in
            try await self.engine.dispatchTrip(request, waitingLimit: Self.waitingLimit, account: EngineAccount.providerAPI)
        }
    }

    /// Returns the current state of one of the provider's trips.
    /// - Parameter id: bare id of the trip.
    /// - Throws: `FleetEngineError` INVALID_ARGUMENT or NOT_FOUND.
    public func trip(_ id: String) async throws(FleetEngineError) -> WireTrip {
        try await engine.answer(WireGetTripRequest.with { $0.name = "providers/\(provider)/trips/\(id)" })
    }

    /// Sets a trip's status and, if they are given, its intermediate stop and its vehicle. Apps request this through the provider API.
    /// - Parameter vehicle: bare id of the trip's new vehicle; nil keeps the current vehicle.
    /// - Throws: `FleetEngineError` INVALID_ARGUMENT, NOT_FOUND (trip or vehicle), FAILED_PRECONDITION (status, version or vehicle) or
    ///   RESOURCE_EXHAUSTED.
    public func update(
        _ id: String, status: TripStatus, intermediateDestinationIndex index: Int?, vehicle: String? = nil
    ) async throws(FleetEngineError) -> WireTrip {
        let name = "providers/\(provider)/trips/\(id)"
        let known = try await engine.answer(WireGetTripRequest.with { $0.name = name })
        return try await engine.answer(
            WireUpdateTripRequest.with {
                $0.name = name
                $0.trip.tripStatus = status.wire
                $0.updateMask.paths = ["trip_status"]
                if let vehicle, vehicle != known.vehicleID {
                    $0.trip.vehicleID = vehicle
                    $0.updateMask.paths.append("vehicle_id")
                }
                if let index {
                    $0.trip.intermediateDestinationIndex = Int32(clamping: index)
                    $0.trip.intermediateDestinationsVersion = known.intermediateDestinationsVersion
                    $0.updateMask.paths.append("intermediate_destination_index")
                }
            })
    }

    /// Removes a trip from its vehicle after the driver has declined it. The trip then gets the next available vehicle whose driver has not
    /// declined it.
    func release(_ id: String) async throws(FleetEngineError) -> WireTrip {
        let name = "providers/\(provider)/trips/\(id)"
        let request = WireUpdateTripRequest.with {
            $0.name = name
            $0.updateMask.paths = ["vehicle_id"]
            $0.trip = WireTrip()
        }
        return try await engine.answer(request) { _ throws(FleetEngineError) in
            try await self.engine.releaseTrip(try Check.tripName(name))
        }
    }

    static func point(_ coordinate: Coordinate) -> WireLatLng {
        .with {
            $0.latitude = coordinate.latitude
            $0.longitude = coordinate.longitude
        }
    }
}
