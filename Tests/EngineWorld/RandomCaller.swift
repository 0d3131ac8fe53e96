import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import FleetEngineWire
import FoundationEssentials
import Geo
import Routing
import SwiftProtobuf

/// Calls the engine at random, with valid and invalid requests.
package struct RandomCaller: Sendable {
    package static let trips = (0..<6).map { "t\($0)" }
    private static let vehicles = (0..<3).map { "v\($0)" }
    private static let statuses: [WireTripStatus] = WireTripStatus.allCases + [.UNRECOGNIZED(77)]

    package var world: World
    package private(set) var accepted = 0
    package private(set) var refused = 0
    /// Descriptions of the rules that the engine has broken.
    package private(set) var faults: [String] = []
    private var random: SeededRandom

    package init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        var limits = EngineLimits()
        limits.trips = 5
        limits.waypointsPerVehicle = 14
        limits.routePoints = 150
        world = World(strict: seed % 4 == 3, limits: limits)
    }

    package mutating func step() {
        world.wait(random.chance(0.05) ? random.double(in: -100...200_000) : random.double(in: 0...20))
        do throws(any Error) {
            try call()
            accepted += 1
        } catch {
            refused += 1
            guard let error = error as? FleetEngineError, ![.ok, .internal, .unknown].contains(error.code),
                (1..<2_000).contains(error.message.utf8.count)
            else { return faults.append("the refusal \(error)") }
        }
    }

    /// Removes expired trips. Until they are removed, they are in the engine but cannot be read.
    package mutating func sweep() { world.sweep() }

    private mutating func call() throws {
        let (trip, vehicle) = (trip(), self.vehicle())
        switch random.int(in: 0...17) {
        case 0: try createTrip(trip)
        case 1: try createVehicle(vehicle)
        case 2, 3: try world.assign(trip, to: random.chance(0.2) ? "" : vehicle)
        case 4, 5, 6: try changeStatus(trip)
        case 7: try changeTrip(trip)
        case 8, 9: try world.move(vehicle, to: place())
        case 10: try report(vehicle)
        case 11: try upload(vehicle)
        case 12: try reorder(vehicle)
        case 13: random.chance(0.2) ? try world.deleteVehicle(vehicle) : try world.deleteTrip(trip)
        case 14: try world.updateVehicle(vehicle, ["vehicle_state"]) { $0.vehicleState = random.chance(0.2) ? .offline : .online }
        case 15, 16: settleWay(vehicle)
        default: try search()
        }
    }

    /// Answers one of the vehicle's route requests, as a router does. Sometimes the answer has no route.
    private mutating func settleWay(_ vehicle: String) {
        guard let record = world.engine.vehicles.values.first(where: { $0.name.vehicle == vehicle }),
            let way = random.element(of: record.missingWays)
        else { return }
        let corner = NavigationWaypoint(coordinate: place())
        let path = [way.start, corner.coordinate, way.end]
        let leg = RouterLeg(path: path, destination: corner, durationSeconds: random.double(in: 0...900))
        let route = random.chance(0.2) ? nil : try? PlannedRoute(planner: "corner", legs: [leg])
        let names = Array(world.engine.vehicles.keys)
        world.change { ((), $0.settle(way, with: route, for: names, now: $1)) }
    }

    private mutating func trip() -> String { random.element(of: Self.trips) ?? "" }

    private mutating func vehicle() -> String { random.chance(0.03) ? "nobody" : random.element(of: Self.vehicles) ?? "" }

    private mutating func place() -> Coordinate {
        if random.chance(0.02) { return Coordinate(latitude: .nan, longitude: 0) }
        if random.chance(0.02) { return Coordinate(latitude: random.double(in: -91...91), longitude: random.double(in: -181...181)) }
        return World.place(east: random.double(in: -3_000...3_000), north: random.double(in: -3_000...3_000))
    }

    private mutating func createTrip(_ id: String) throws {
        let (isShared, pickup, dropoff) = (random.chance(0.4), place(), random.chance(0.2) ? nil : place())
        let stops = (0..<(random.chance(0.3) ? random.int(in: 0...3) : 0)).map { _ in WireTerminalLocation.at(place()) }
        let vehicle = random.chance(0.4) ? self.vehicle() : ""
        try world.createTrip(id) {
            $0.trip.tripType = isShared ? .shared : .exclusive
            $0.trip.pickupPoint = .at(pickup)
            if let dropoff { $0.trip.dropoffPoint = .at(dropoff) } else { $0.trip.clearDropoffPoint() }
            $0.trip.intermediateDestinations = stops
            $0.trip.vehicleID = vehicle
        }
    }

    private mutating func createVehicle(_ id: String) throws {
        let start = random.chance(0.3) ? nil : place()
        try world.createVehicle(id) {
            if let start { $0.vehicle.lastLocation = .at(start) } else { $0.vehicle.clearLastLocation() }
        }
    }

    private mutating func changeStatus(_ trip: String) throws {
        let status = random.element(of: Self.statuses) ?? .new
        try world.setStatus(trip, status, index: random.chance(0.5) ? Int32(random.int(in: -1...3)) : nil)
    }

    private mutating func changeTrip(_ trip: String) throws {
        let fields = TripField.allCases.map(\.rawValue)
        let paths = (0..<random.int(in: 1...3)).compactMap { _ in random.element(of: fields) }
        let (pickup, dropoff, status) = (place(), place(), random.element(of: Self.statuses) ?? .new)
        let (type, vehicle) = (WireTripType.allCases[random.int(in: 0...2)], self.vehicle())
        let stops = (0..<random.int(in: 0...3)).map { _ in WireTerminalLocation.at(place()) }
        let version = Google_Protobuf_Timestamp(moment: world.now)
        let isVersioned = random.chance(0.2)
        try world.updateTrip(trip, paths) {
            $0.tripType = type
            $0.tripStatus = status
            $0.vehicleID = vehicle
            $0.pickupPoint = .at(pickup)
            if pickup.latitude > World.centre.latitude { $0.dropoffPoint = .at(dropoff) }
            $0.intermediateDestinations = stops
            $0.intermediateDestinationIndex = Int32(stops.count)
            if isVersioned { $0.intermediateDestinationsVersion = version }
        }
    }

    private mutating func report(_ vehicle: String) throws {
        let (metres, seconds) = (Int32(random.int(in: -10...5_000)), Int32(random.int(in: -10...900)))
        let guidance = random.element(of: WireNavigationStatus.allCases) ?? .offRoute
        let isSet = random.chance(0.8)
        try world.updateVehicle(vehicle, ["remaining_distance_meters", "remaining_time_seconds", "navigation_status"]) {
            if isSet { $0.remainingDistanceMeters = Google_Protobuf_Int32Value(metres) }
            if isSet { $0.remainingTimeSeconds = Google_Protobuf_Int32Value(seconds) }
            $0.navigationStatus = guidance
        }
    }

    private mutating func upload(_ vehicle: String) throws {
        var points = (0..<random.int(in: 0...40)).map { _ in place() }.filter(\.isValid)
        if random.chance(0.5), let stops = try? world.getVehicle(vehicle).waypoints {
            points += stops.prefix(2).map(\.location.point.coordinate)
        }
        let text = random.chance(0.1) ? "garbage" : points.isEmpty ? "" : S2Polyline.encode(points)
        let endPoint = random.chance(0.3) ? WireTripWaypoint.of(trip(), WireWaypointType.allCases[random.int(in: 0...3)]) : nil
        let stretches = (0..<random.int(in: 0...3)).map { _ in
            var stretch = WireVisualTrafficReportPolylineRendering.RoadStretch()
            stretch.offsetMeters = Int32(random.int(in: -1...4_000))
            stretch.lengthMeters = Int32(random.int(in: 0...2_000))
            stretch.style = random.chance(0.5) ? .slowerTraffic : .trafficJam
            return stretch
        }
        let paths =
            random.chance(0.2)
            ? ["current_route_segment_traffic"]
            : ["current_route_segment", "current_route_segment_end_point", "current_route_segment_traffic"]
        try world.updateVehicle(vehicle, paths) {
            $0.currentRouteSegment = text
            if let endPoint { $0.currentRouteSegmentEndPoint = endPoint }
            $0.currentRouteSegmentTraffic.trafficRendering.roadStretch = stretches
        }
    }

    private mutating func reorder(_ vehicle: String) throws {
        var waypoints = try world.getVehicle(vehicle).waypoints
        if random.chance(0.1) { waypoints.removeAll() }
        for _ in 0..<random.int(in: 0...3) where waypoints.count > 1 {
            waypoints.swapAt(random.int(in: 0...waypoints.count - 1), random.int(in: 0...waypoints.count - 1))
        }
        try world.updateVehicle(vehicle, ["waypoints"]) { $0.waypoints = waypoints }
    }

    private mutating func search() throws {
        var trips = WireSearchTripsRequest()
        trips.parent = World.provider
        trips.vehicleID = random.chance(0.5) ? vehicle() : ""
        trips.pageSize = Int32(random.int(in: -1...4))
        _ = try world.engine.searchTrips(trips, now: world.now)
        var vehicles = WireSearchVehiclesRequest()
        vehicles.parent = World.provider
        vehicles.pickupPoint = .at(place())
        vehicles.pickupRadiusMeters = 5_000
        vehicles.count = 5
        vehicles.minimumCapacity = 1
        vehicles.tripTypes = [.exclusive]
        vehicles.orderBy = .pickupPointDistance
        vehicles.currentTripsPresent = random.chance(0.5) ? .any : .unspecified
        var type = WireVehicle.VehicleType()
        type.category = .auto
        vehicles.vehicleTypes = [type]
        let matches = try world.engine.searchVehicles(vehicles, now: world.now).matches
        let distances = matches.map(\.vehiclePickupDistanceMeters.value)
        if distances != distances.sorted() { faults.append("the order of the distances \(distances)") }
    }
}
