import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Trip status and its effects")
struct TripStatusTests {
    @Test("leaving the pickup removes it, fixes its time and keeps its actual place")
    func leavingPickup() throws {
        var world = try World.assigned()
        try world.setStatus("t1", .enrouteToPickup)
        world.wait(100)
        let (spot, fixTime) = (World.place(east: 990), Google_Protobuf_Timestamp(moment: world.now.addingTimeInterval(-2)))
        try world.updateVehicle("car", ["last_location"]) {
            $0.lastLocation = .at(spot)
            $0.lastLocation.updateTime = fixTime
        }
        let arrived = try world.setStatus("t1", .arrivedAtPickup)
        #expect(arrived.remainingWaypoints.count == 2)
        #expect(arrived.remainingDistanceMeters.value <= 11)
        #expect(!arrived.hasActualPickupPoint)
        world.wait(30)
        let left = try world.setStatus("t1", .enrouteToDropoff)
        #expect(left.remainingWaypoints.map(\.waypointType) == [.dropOffWaypointType])
        #expect(left.pickupTime == Google_Protobuf_Timestamp(moment: world.now))
        #expect(left.actualPickupPoint.point.coordinate == spot)
        #expect(left.actualPickupPoint.timestamp == fixTime)
        let frozen = left.pickupTime
        world.wait(60)
        #expect(try world.getTrip("t1").pickupTime == frozen)
        #expect(abs(Double(left.remainingDistanceMeters.value) - 3_010) <= 1)
    }

    @Test("an actual point that the provider reports itself is kept")
    func reportedActualPoint() throws {
        var world = try World.assigned()
        var stop = WireStopLocation()
        stop.point = WireLatLng(World.place(east: 777))
        try world.updateTrip("t1", ["actual_pickup_point"]) { $0.actualPickupPoint = stop }
        #expect(try world.setStatus("t1", .enrouteToDropoff).actualPickupPoint == stop)
        stop.point.latitude = .nan
        refusal(.invalidArgument, field: "trip.actual_dropoff_point.point.latitude") {
            try world.updateTrip("t1", ["actual_dropoff_point"]) { $0.actualDropoffPoint = stop }
        }
    }

    @Test("COMPLETE keeps the facts and clears all live values")
    func complete() throws {
        var world = try World.assigned()
        try world.setStatus("t1", .enrouteToDropoff)
        world.wait(300)
        try world.move("car", to: World.dropoff)
        let trip = try world.setStatus("t1", .complete)
        #expect(trip.dropoffTime == Google_Protobuf_Timestamp(moment: world.now))
        #expect(trip.hasPickupTime && trip.hasActualPickupPoint)
        #expect(trip.actualDropoffPoint.point.coordinate == World.dropoff)
        var place = WireVehicleLocation()
        place.location = WireLatLng(World.dropoff)
        #expect(trip.lastLocation == place)
        #expect(trip.vehicleID == "car")
        expectNothingLive(trip)
        #expect(try world.getVehicle("car").currentTrips.isEmpty)
        #expect(try world.getVehicle("car").waypoints.isEmpty)
        #expect(try world.getTrip("t1") == trip)
    }

    @Test("CANCELED has neither a drop-off time nor a position", arguments: [WireTripStatus.new, .arrivedAtPickup, .enrouteToDropoff])
    func canceled(after status: WireTripStatus) throws {
        var world = try World.assigned()
        try world.setStatus("t1", status)
        let trip = try world.setStatus("t1", .canceled)
        #expect(!trip.hasDropoffTime && !trip.hasLastLocation)
        #expect(trip.hasPickupTime == (status == .enrouteToDropoff))
        expectNothingLive(trip)
        #expect(try world.getVehicle("car").currentTrips.isEmpty)
    }

    private func expectNothingLive(_ trip: WireTrip, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
            trip.route.isEmpty && trip.currentRouteSegment.isEmpty && !trip.hasCurrentRouteSegmentEndPoint, sourceLocation: sourceLocation)
        #expect(!trip.hasEtaToFirstWaypoint && !trip.hasRemainingTimeToFirstWaypoint, sourceLocation: sourceLocation)
        #expect(!trip.hasRemainingDistanceMeters && trip.remainingWaypoints.isEmpty, sourceLocation: sourceLocation)
        #expect(!trip.hasCurrentRouteSegmentVersion && !trip.hasRemainingWaypointsVersion, sourceLocation: sourceLocation)
        #expect(!trip.hasRemainingWaypointsRouteVersion && !trip.hasCurrentRouteSegmentTrafficVersion, sourceLocation: sourceLocation)
        #expect(!trip.hasCurrentRouteSegmentTraffic && trip.vehicleWaypoints.isEmpty, sourceLocation: sourceLocation)
    }

    @Test("without strictness any order is accepted, but a final status stays")
    func tolerant() throws {
        let all: [WireTripStatus] = [
            .enrouteToDropoff, .new, .arrivedAtPickup, .new, .new, .enrouteToPickup, .enrouteToIntermediateDestination,
            .arrivedAtIntermediateDestination, .enrouteToPickup, .complete, .complete,
        ]
        var world = try Self.multi()
        for status in all { #expect(try world.setStatus("t1", status).tripStatus == status) }
        refusal(.failedPrecondition) { try world.setStatus("t1", .canceled) }
        refusal(.failedPrecondition) { try world.setStatus("t1", .new) }
        var direct = try World.assigned()
        #expect(try direct.setStatus("t1", .complete).tripStatus == .complete)
    }

    @Test("going back to before the pickup restores it, and removes the fixed time")
    func backwards() throws {
        var world = try World.assigned()
        try world.setStatus("t1", .enrouteToDropoff)
        world.wait(50)
        let trip = try world.setStatus("t1", .enrouteToPickup)
        #expect(trip.remainingWaypoints.map(\.waypointType) == [.pickupWaypointType, .dropOffWaypointType])
        #expect(trip.pickupTime == trip.etaToFirstWaypoint)
        #expect(!trip.hasActualPickupPoint)
    }

    @Test("strict: only the recommended order is accepted, else FAILED_PRECONDITION")
    func strict() throws {
        let order: [WireTripStatus] = [.new, .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete]
        let all: [WireTripStatus] = [
            .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete, .canceled, .arrivedAtIntermediateDestination,
            .enrouteToIntermediateDestination,
        ]
        for (position, status) in order.enumerated() {
            for next in all {
                var world = try World.assigned(strict: true)
                for step in order[...position] { try world.setStatus("t1", step) }
                let isNext = position + 1 < order.count && order[position + 1] == next
                if next == status || isNext || (next == .canceled && status != .complete) {
                    #expect(try world.setStatus("t1", next).tripStatus == next)
                } else {
                    let refused = refusal(.failedPrecondition) { try world.setStatus("t1", next) }
                    #expect(refused?.message.contains("cannot follow") == true)
                    #expect(try world.getTrip("t1").tripStatus == status)
                }
            }
        }
    }

    @Test("a status must be one of the eight", arguments: [WireTripStatus.unknownTripStatus, .UNRECOGNIZED(9), .UNRECOGNIZED(-1)])
    func unknownStatus(status: WireTripStatus) throws {
        var world = try World.assigned()
        refusal(.invalidArgument, field: "trip.trip_status") { try world.setStatus("t1", status) }
    }

    @Test("the numbers on the wire differ from those of the iOS SDK")
    func numbers() {
        #expect(WireTripStatus.enrouteToDropoff.rawValue == 4 && WireTripStatus.complete.rawValue == 5)
        #expect(WireTripStatus.arrivedAtIntermediateDestination.rawValue == 7)
        for status in WireTripStatus.allCases { #expect(TripStatus(status).wireNumber == status.rawValue) }
        #expect(TripStatus(WireTripStatus.UNRECOGNIZED(99)) == .unknown)
    }

    // MARK: Intermediate destinations

    private static func multi(strict: Bool = false) throws -> World {
        try World.assigned(strict: strict) {
            $0.trip.intermediateDestinations = [.at(World.place(east: 2_000)), .at(World.place(east: 3_000))]
        }
    }

    @Test("a trip with two intermediate destinations, stop by stop, also when strict", arguments: [false, true])
    func intermediates(strict: Bool) throws {
        var world = try Self.multi(strict: strict)
        func types(_ trip: WireTrip) -> [WireWaypointType] { trip.remainingWaypoints.map(\.waypointType) }
        let (stop, end) = (WireWaypointType.intermediateDestinationWaypointType, WireWaypointType.dropOffWaypointType)
        #expect(types(try world.getTrip("t1")) == [.pickupWaypointType, stop, stop, end])
        try world.setStatus("t1", .enrouteToPickup)
        try world.setStatus("t1", .arrivedAtPickup)
        #expect(types(try world.setStatus("t1", .enrouteToIntermediateDestination, index: 0)) == [stop, stop, end])
        try world.move("car", to: World.place(east: 2_000))
        #expect(types(try world.setStatus("t1", .arrivedAtIntermediateDestination)) == [stop, stop, end])
        let second = try world.setStatus("t1", .enrouteToIntermediateDestination, index: 1)
        #expect(types(second) == [stop, end])
        #expect(second.intermediateDestinationIndex == 1)
        #expect(second.actualIntermediateDestinations.map(\.point.coordinate) == [World.place(east: 2_000)])
        try world.setStatus("t1", .arrivedAtIntermediateDestination)
        let last = try world.setStatus("t1", .enrouteToDropoff)
        #expect(types(last) == [end])
        #expect(last.actualIntermediateDestinations.count == 2)
        #expect(try world.setStatus("t1", .complete).tripStatus == .complete)
    }

    @Test("the index must match a stop; without intermediate destinations it is ignored", arguments: [Int32(-1), 2, .max])
    func badIndex(index: Int32) throws {
        var world = try Self.multi()
        refusal(.invalidArgument, field: "trip.intermediate_destination_index") {
            try world.setStatus("t1", .enrouteToIntermediateDestination, index: index)
        }
        var plain = try World.assigned()
        #expect(try plain.setStatus("t1", .enrouteToDropoff, index: index).intermediateDestinationIndex == 0)
    }

    @Test("a trip refuses the statuses of intermediate destinations that it does not have", arguments: [WireTripType.exclusive, .shared])
    func noIntermediates(type: WireTripType) throws {
        var world = try World.assigned { $0.trip.tripType = type }
        for status in [WireTripStatus.enrouteToIntermediateDestination, .arrivedAtIntermediateDestination] {
            refusal(.failedPrecondition) { try world.setStatus("t1", status) }
            refusal(.failedPrecondition) { try world.setStatus("t1", status, index: 0) }
        }
        #expect(try world.getTrip("t1").tripStatus == .new)
        var multi = try Self.multi()
        try multi.setStatus("t1", .enrouteToIntermediateDestination, index: 1)
        try multi.updateTrip("t1", ["intermediate_destinations"]) { $0.intermediateDestinations = [.at(World.place(east: 2_000))] }
        refusal(.invalidArgument, field: "trip.intermediate_destination_index") {
            try multi.setStatus("t1", .arrivedAtIntermediateDestination)
        }
        #expect(try multi.setStatus("t1", .arrivedAtIntermediateDestination, index: 0).intermediateDestinationIndex == 0)
    }

    @Test("the server does not increase the index")
    func indexStays() throws {
        var world = try Self.multi()
        try world.setStatus("t1", .enrouteToIntermediateDestination)
        try world.setStatus("t1", .arrivedAtIntermediateDestination)
        #expect(try world.setStatus("t1", .enrouteToIntermediateDestination).intermediateDestinationIndex == 0)
    }

    @Test("an old version of the intermediate destinations is FAILED_PRECONDITION")
    func versionCheck() throws {
        var world = try Self.multi()
        let version = try world.getTrip("t1").intermediateDestinationsVersion
        func go(_ world: inout World, _ version: Google_Protobuf_Timestamp?) throws {
            try world.updateTrip("t1", ["trip_status", "intermediate_destination_index"]) {
                $0.tripStatus = .enrouteToIntermediateDestination
                if let version { $0.intermediateDestinationsVersion = version }
            }
        }
        world.wait(1)
        let trip = try world.updateTrip("t1", ["intermediate_destinations"]) {
            $0.intermediateDestinations = [.at(World.place(east: 1_500))]
        }
        #expect(trip.intermediateDestinationsVersion != version)
        refusal(.failedPrecondition) { try go(&world, version) }
        #expect(try world.getTrip("t1").tripStatus == .new)
        try go(&world, trip.intermediateDestinationsVersion)
        try go(&world, nil)
    }

    @Test("strict: the index is in the same update and increases by one")
    func strictIndex() throws {
        var world = try Self.multi(strict: true)
        try world.setStatus("t1", .enrouteToPickup)
        try world.setStatus("t1", .arrivedAtPickup)
        refusal(.failedPrecondition) { try world.setStatus("t1", .enrouteToDropoff) }
        refusal(.invalidArgument) { try world.setStatus("t1", .enrouteToIntermediateDestination) }
        try world.setStatus("t1", .enrouteToIntermediateDestination, index: 0)
        refusal(.failedPrecondition) { try world.setStatus("t1", .enrouteToDropoff) }
        try world.setStatus("t1", .arrivedAtIntermediateDestination)
        refusal(.failedPrecondition) { try world.setStatus("t1", .enrouteToIntermediateDestination, index: 0) }
        try world.setStatus("t1", .enrouteToIntermediateDestination, index: 1)
    }

    @Test("a finished trip accepts attributes, but no change of its vehicle, its stops or its type")
    func afterTheEnd() throws {
        var world = try World.assigned()
        try world.setStatus("t1", .complete)
        for path in ["vehicle_id", "pickup_point", "dropoff_point", "intermediate_destinations", "trip_type"] {
            refusal(.failedPrecondition) {
                try world.updateTrip("t1", [path]) { $0.intermediateDestinations = [.at(World.centre)] }
            }
        }
        var attribute = WireTripAttribute()
        attribute.key = "tip"
        attribute.numberValue = 2
        #expect(try world.updateTrip("t1", ["attributes"]) { $0.attributes = [attribute] }.attributes == [attribute])
        var multi = try Self.multi()
        try multi.setStatus("t1", .canceled)
        refusal(.failedPrecondition) {
            try multi.updateTrip("t1", ["intermediate_destination_index"]) { $0.intermediateDestinationIndex = 1 }
        }
    }

    @Test("of two equal UpdateTrip calls, the second changes nothing", arguments: [WireTripStatus.canceled, .complete, .enrouteToPickup])
    func twice(status: WireTripStatus) throws {
        var world = World()
        try world.createVehicle("car")
        try world.createTrip("t1")
        let paths = ["vehicle_id", "trip_status", "vehicle_waypoints"]
        func call() throws -> WireTrip {
            try world.updateTrip("t1", paths) {
                $0.vehicleID = "car"
                $0.tripStatus = status
                $0.vehicleWaypoints = [.of("t1", .pickupWaypointType), .of("t1", .dropOffWaypointType)]
            }
        }
        let first = try call()
        let told = (world.changes.count, world.engine)
        world.wait(5)
        var second = try call()
        // The remaining time is relative to the time of the answer.
        #expect(second.remainingTimeToFirstWaypoint.seconds <= max(0, first.remainingTimeToFirstWaypoint.seconds - 5))
        if first.hasRemainingTimeToFirstWaypoint { second.remainingTimeToFirstWaypoint = first.remainingTimeToFirstWaypoint }
        for index in second.remainingWaypoints.indices {
            second.remainingWaypoints[index].duration = first.remainingWaypoints[index].duration
            second.vehicleWaypoints[index].duration = first.vehicleWaypoints[index].duration
        }
        #expect(second == first)
        #expect(world.changes.count == told.0 && world.engine == told.1)
    }

    @Test("a call with a version of the intermediate destinations can be sent twice")
    func versionTwice() throws {
        var world = try Self.multi(strict: true)
        try world.setStatus("t1", .enrouteToPickup)
        try world.setStatus("t1", .arrivedAtPickup)
        let version = try world.getTrip("t1").intermediateDestinationsVersion
        for _ in 1...2 {
            let trip = try world.updateTrip("t1", ["trip_status", "intermediate_destination_index", "intermediate_destinations"]) {
                $0.tripStatus = .enrouteToIntermediateDestination
                $0.intermediateDestinations = [.at(World.place(east: 2_500))]
                $0.intermediateDestinationsVersion = version
            }
            #expect(trip.hasIntermediateDestinationsVersion && trip.intermediateDestinationsVersion != version)
        }
    }
}
