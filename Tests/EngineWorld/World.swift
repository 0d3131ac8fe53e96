package import FleetEngineAPI
package import FleetEngineCore
import FleetEngineWire
package import FoundationEssentials
package import Geo
import Routing
import SwiftProtobuf

/// An engine, a clock that only tests move, and short functions for requests. The places are on an invented plain. Routes are
/// straight lines, driven at 10 m/s.
package struct World: Sendable {
    package static let start = Date(timeIntervalSince1970: 1_750_000_000)
    package static let provider = "providers/plain"
    package static let centre = Coordinate(latitude: 10, longitude: 20)

    package var engine: FleetEngineState
    package var now = World.start
    /// All changes that the engine reported.
    package private(set) var changes: [Change] = []

    package init(strict: Bool = false, limits: EngineLimits = EngineLimits(), stopSeconds: Double = 0, shareWithin: Int = 5) {
        var options = EngineOptions()
        options.strictStatus = strict
        options.limits = limits
        options.stopSeconds = stopSeconds
        options.shareWithin = shareWithin
        engine = FleetEngineState(options: options, straightLine: StraightLineRouter(speedMetersPerSecond: 10))
    }

    /// Returns the place `east` and `north` metres from the centre.
    package static func place(east: Double, north: Double = 0) -> Coordinate { centre.offset(eastMeters: east, northMeters: north) }

    package static let pickup = place(east: 1_000)
    package static let dropoff = place(east: 4_000)

    package mutating func wait(_ seconds: Double) { now = now.addingTimeInterval(seconds) }

    /// Makes a change as the engine's callers do: expired trips are removed first if that is due.
    package mutating func change<Answer>(
        _ work: (inout FleetEngineState, Date) throws -> (answer: Answer, changes: [Change])
    ) rethrows -> Answer {
        changes += engine.sweepIfDue(now: now)
        let (answer, news) = try work(&engine, now)
        changes += news
        return answer
    }

    package mutating func sweep() { changes += engine.sweep(now: now) }

    /// A new engine to which all reported changes have been applied.
    package var copy: FleetEngineState {
        var copy = FleetEngineState(options: engine.options)
        for change in changes { copy.apply(change) }
        return copy
    }

    // MARK: Requests

    @discardableResult
    package mutating func createTrip(_ id: String, _ change: (inout WireCreateTripRequest) -> Void = { _ in }) throws -> WireTrip {
        try self.change { try $0.createTrip(.new(id, change), now: $1) }
    }

    package func getTrip(_ id: String, _ change: (inout WireGetTripRequest) -> Void = { _ in }) throws -> WireTrip {
        var request = WireGetTripRequest()
        request.name = "\(Self.provider)/trips/\(id)"
        change(&request)
        return try engine.getTrip(request, now: now)
    }

    @discardableResult
    package mutating func updateTrip(_ id: String, _ paths: [String], _ change: (inout WireTrip) -> Void = { _ in }) throws -> WireTrip {
        var request = WireUpdateTripRequest()
        request.name = "\(Self.provider)/trips/\(id)"
        var trip = WireTrip()
        change(&trip)
        request.trip = trip
        request.updateMask.paths = paths
        return try self.change { try $0.updateTrip(request, now: $1) }
    }

    @discardableResult
    package mutating func setStatus(_ id: String, _ status: WireTripStatus, index: Int32? = nil) throws -> WireTrip {
        try updateTrip(id, index == nil ? ["trip_status"] : ["trip_status", "intermediate_destination_index"]) {
            $0.tripStatus = status
            $0.intermediateDestinationIndex = index ?? 0
        }
    }

    @discardableResult
    package mutating func assign(_ id: String, to vehicle: String) throws -> WireTrip {
        try updateTrip(id, ["vehicle_id"]) { $0.vehicleID = vehicle }
    }

    package mutating func deleteTrip(_ id: String) throws {
        var request = WireDeleteTripRequest()
        request.name = "\(Self.provider)/trips/\(id)"
        try change { ((), try $0.deleteTrip(request, now: $1)) }
    }

    @discardableResult
    package mutating func createVehicle(_ id: String, _ change: (inout WireCreateVehicleRequest) -> Void = { _ in }) throws -> WireVehicle {
        try self.change { try $0.createVehicle(.new(id, change), now: $1) }
    }

    package func getVehicle(_ id: String, _ change: (inout WireGetVehicleRequest) -> Void = { _ in }) throws -> WireVehicle {
        var request = WireGetVehicleRequest()
        request.name = "\(Self.provider)/vehicles/\(id)"
        change(&request)
        return try engine.getVehicle(request, now: now)
    }

    @discardableResult
    package mutating func updateVehicle(
        _ id: String, _ paths: [String], _ change: (inout WireVehicle) -> Void = { _ in }
    ) throws -> WireVehicle {
        var request = WireUpdateVehicleRequest()
        request.name = "\(Self.provider)/vehicles/\(id)"
        var vehicle = WireVehicle()
        change(&vehicle)
        request.vehicle = vehicle
        request.updateMask.paths = paths
        return try self.change { try $0.updateVehicle(request, now: $1) }
    }

    @discardableResult
    package mutating func move(_ id: String, to place: Coordinate) throws -> WireVehicle {
        try updateVehicle(id, ["last_location"]) { $0.lastLocation = .at(place) }
    }

    package mutating func deleteVehicle(_ id: String) throws {
        var request = WireDeleteVehicleRequest()
        request.name = "\(Self.provider)/vehicles/\(id)"
        try change { ((), try $0.deleteVehicle(request, now: $1)) }
    }

    /// Returns a world with an exclusive trip from the pickup to the drop-off. The trip's vehicle is at the centre.
    package static func assigned(strict: Bool = false, _ change: (inout WireCreateTripRequest) -> Void = { _ in }) throws -> World {
        var world = World(strict: strict)
        try world.createVehicle("car")
        try world.createTrip("t1", change)
        try world.assign("t1", to: "car")
        return world
    }
}

extension WireCreateTripRequest {
    package static func new(_ id: String, _ change: (inout WireCreateTripRequest) -> Void = { _ in }) -> WireCreateTripRequest {
        var request = WireCreateTripRequest()
        request.parent = World.provider
        request.tripID = id
        request.trip.tripType = .exclusive
        request.trip.pickupPoint = .at(World.pickup)
        request.trip.dropoffPoint = .at(World.dropoff)
        request.trip.numberOfPassengers = 1
        change(&request)
        return request
    }
}

extension WireCreateVehicleRequest {
    package static func new(_ id: String, _ change: (inout WireCreateVehicleRequest) -> Void = { _ in }) -> WireCreateVehicleRequest {
        var request = WireCreateVehicleRequest()
        request.parent = World.provider
        request.vehicleID = id
        request.vehicle.vehicleState = .online
        request.vehicle.supportedTripTypes = [.exclusive, .shared]
        request.vehicle.maximumCapacity = 4
        request.vehicle.vehicleType.category = .auto
        request.vehicle.lastLocation = .at(World.centre)
        change(&request)
        return request
    }
}

extension WireTerminalLocation {
    package static func at(_ place: Coordinate) -> WireTerminalLocation {
        var location = WireTerminalLocation()
        location.point = WireLatLng(place)
        return location
    }
}

extension WireVehicleLocation {
    package static func at(_ place: Coordinate) -> WireVehicleLocation {
        var location = WireVehicleLocation()
        location.location = WireLatLng(place)
        return location
    }
}

extension WireTripWaypoint {
    package static func of(_ trip: String, _ type: WireWaypointType) -> WireTripWaypoint {
        var waypoint = WireTripWaypoint()
        waypoint.tripID = trip
        waypoint.waypointType = type
        return waypoint
    }
}

extension WireVehicleAttribute {
    package static func text(_ key: String, _ value: String) -> WireVehicleAttribute {
        var attribute = WireVehicleAttribute()
        attribute.key = key
        attribute.stringValue = value
        return attribute
    }
}
