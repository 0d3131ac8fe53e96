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
    private let engine: LocalFleetEngine
    private let time: any TimeSource
    private let makeID: @Sendable () -> String
    private var waiting: [TripName] = []

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

    public func vehicle(_ id: String) async throws(FleetEngineError) -> WireVehicle {
        await match()
        return try await engine.getVehicle(.with { $0.name = "providers/\(provider)/vehicles/\(id)" })
    }

    /// Creates a vehicle, online.
    public func createVehicle(_ id: String, tripTypes: [TripType], capacity: Int, backToBack: Bool) async throws(FleetEngineError)
        -> WireVehicle
    {
        try await engine.createVehicle(
            .with {
                $0.parent = "providers/\(provider)"
                $0.vehicleID = id
                $0.vehicle.vehicleState = .online
                $0.vehicle.supportedTripTypes = tripTypes.map { $0 == .shared ? .shared : .exclusive }
                $0.vehicle.maximumCapacity = Int32(clamping: capacity)
                $0.vehicle.vehicleType.category = .auto
                $0.vehicle.backToBackEnabled = backToBack
            })
    }

    private static func point(_ coordinate: Coordinate) -> WireLatLng {
        .with {
            $0.latitude = coordinate.latitude
            $0.longitude = coordinate.longitude
        }
    }
}

// MARK: - Matching

extension ProviderDesk {
    /// Gives each waiting trip the nearest vehicle that fits, in the order of booking.
    func match() async {
        guard !waiting.isEmpty else { return }
        var vehicles = await onlineVehicles()
        for name in waiting {
            guard let trip = try? await engine.getTrip(.with { $0.name = name.description }), trip.tripStatus == .new,
                trip.vehicleID.isEmpty
            else {
                waiting.removeAll { $0 == name }
                continue
            }
            guard let index = await nearest(to: trip, among: vehicles), await assign(vehicles[index], to: trip) else { continue }
            waiting.removeAll { $0 == name }
            vehicles.remove(at: index)
        }
    }

    private func onlineVehicles() async -> [WireVehicle] {
        var vehicles: [WireVehicle] = []
        var page = ""
        repeat {
            let request = WireListVehiclesRequest.with {
                $0.parent = "providers/\(provider)"
                $0.vehicleTypeCategories = [.auto, .taxi, .truck, .twoWheeler, .bicycle, .pedestrian]
                $0.vehicleState = .online
                $0.pageToken = page
            }
            guard let answer = try? await engine.listVehicles(request) else { break }
            vehicles += answer.vehicles
            page = answer.nextPageToken
        } while !page.isEmpty && vehicles.count < 10_000
        return vehicles
    }

    private func nearest(to trip: WireTrip, among vehicles: [WireVehicle]) async -> Int? {
        let pickup = Coordinate(latitude: trip.pickupPoint.point.latitude, longitude: trip.pickupPoint.point.longitude)
        var best: (index: Int, meters: Double)?
        for (index, vehicle) in vehicles.enumerated() {
            guard vehicle.hasLastLocation, await fits(vehicle, trip) else { continue }
            let place = vehicle.lastLocation.hasLocation ? vehicle.lastLocation.location : vehicle.lastLocation.rawLocation
            let meters = Coordinate(latitude: place.latitude, longitude: place.longitude).distanceMeters(to: pickup)
            if best.map({ meters < $0.meters }) ?? true { best = (index, meters) }
        }
        return best?.index
    }

    /// Free; or serves one trip that is past its pickup and takes another after it.
    private func fits(_ vehicle: WireVehicle, _ trip: WireTrip) async -> Bool {
        guard vehicle.supportedTripTypes.contains(trip.tripType), vehicle.maximumCapacity >= trip.numberOfPassengers else { return false }
        guard let first = vehicle.currentTrips.first else { return true }
        guard vehicle.backToBackEnabled, vehicle.currentTrips.count == 1,
            let current = try? await engine.getTrip(.with { $0.name = "providers/\(provider)/trips/\(first)" })
        else { return false }
        return !TripStatus(wireNumber: current.tripStatus.rawValue).isBeforePickup
    }

    private func assign(_ vehicle: WireVehicle, to trip: WireTrip) async -> Bool {
        guard let name = try? VehicleName(vehicle.name) else { return false }
        let request = WireUpdateTripRequest.with {
            $0.name = trip.name
            $0.trip.vehicleID = name.vehicle
            $0.updateMask.paths = ["vehicle_id"]
        }
        return (try? await engine.updateTrip(request)) != nil
    }
}
