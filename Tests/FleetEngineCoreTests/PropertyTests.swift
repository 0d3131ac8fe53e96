import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import Routing
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Random requests in random order")
struct PropertyTests {
    @Test("nothing traps, every refusal has words, and what must hold always holds", arguments: 0..<8 as Range<UInt64>)
    func invariants(seed: UInt64) throws {
        var caller = RandomCaller(seed: seed)
        var riders: [String: Rider] = [:]
        for step in 0..<400 {
            caller.step()
            // Looking at everything after every step would take most of the time; one step in four is often enough to find the step.
            guard step.isMultiple(of: 4) else { continue }
            caller.sweep()
            try check(caller.world)
            for id in RandomCaller.trips { try riders[id, default: Rider()].poll(id, caller.world) }
        }
        #expect(caller.accepted > 80, "\(caller.accepted) accepted, \(caller.refused) refused")
        #expect(caller.refused > 80, "\(caller.accepted) accepted, \(caller.refused) refused")
    }

    @Test("the changes of a run, told to an empty engine, make the same engine; a refusal tells of none", arguments: 0..<4 as Range<UInt64>)
    func changes(seed: UInt64) {
        var caller = RandomCaller(seed: seed)
        for step in 0..<600 {
            let before = caller.world
            let refused = caller.refused
            caller.step()
            if caller.refused > refused {
                // Expired trips may go with any request that writes.
                var swept = before
                swept.now = caller.world.now
                swept.change { _, _ in ((), []) }
                #expect([before, swept].contains { $0.engine == caller.world.engine && $0.changes == caller.world.changes })
            }
            if step.isMultiple(of: 100) { #expect(caller.world.copy == caller.world.engine) }
        }
        caller.sweep()
        #expect(caller.world.copy == caller.world.engine)
        #expect(caller.world.changes.contains { if case .tripRemoved = $0 { true } else { false } })
    }

    private func check(_ world: World) throws {
        let engine = world.engine
        var served: [VehicleName: Set<String>] = [:]
        for record in engine.trips.values {
            if let vehicle = record.servingVehicle { served[vehicle, default: []].insert(record.name.trip) }
            try check(try world.getTrip(record.name.trip), record)
        }
        checkIndexes(engine)
        var points = 0
        for record in engine.vehicles.values {
            #expect(Set(record.currentTrips) == served[record.name] ?? [])
            #expect(record.currentTrips.count == Set(record.currentTrips).count)
            #expect(record.between.count == max(0, record.stops.count - 1))
            points += record.routePoints
            let vehicle = try world.getVehicle(record.name.vehicle)
            #expect(try WireVehicle(serializedBytes: try vehicle.serializedBytes() as [UInt8]) == vehicle)
            check(record, now: world.now)
            for trip in record.currentTrips {
                let kinds = record.stops.filter { $0.tripID == trip }
                let name = try TripName(provider: "plain", trip: trip)
                #expect(kinds == engine.trips[name]?.ownStops)
            }
            #expect(Set(record.stops.map(\.tripID)).isSubset(of: record.currentTrips))
        }
        #expect(points == engine.routePoints)
        #expect(Set(served.keys).isSubset(of: engine.vehicles.keys))
    }

    /// What was kept up to date is what all trips and vehicles give now.
    private func checkIndexes(_ engine: FleetEngineState) {
        var (trips, vehicles) = (TripIndex(), VehicleIndex())
        for record in engine.trips.values { trips.put(record, insteadOf: nil) }
        for record in engine.vehicles.values { vehicles.put(record, insteadOf: nil) }
        #expect(engine.tripIndex == trips)
        #expect(engine.vehicleIndex == vehicles)
    }

    /// No leg is shorter than the straight line, and no time goes back on the way.
    private func check(_ record: VehicleRecord, now: Date) {
        let figures = record.figures(now: now)
        #expect(figures.count == record.stops.count)
        var place = record.position
        var time = Date.distantPast
        for (stop, figures) in zip(record.stops, figures) {
            if let place, let meters = figures.legMeters {
                #expect(meters >= place.distanceMeters(to: stop.coordinate) * (1 - 1e-9), "\(record.name)")
            }
            place = stop.coordinate
            if let arrival = figures.arrival {
                #expect(arrival >= time, "\(record.name)")
                time = arrival
            }
        }
    }

    private func check(_ trip: WireTrip, _ record: TripRecord) throws {
        #expect(try WireTrip(serializedBytes: try trip.serializedBytes() as [UInt8]) == trip)
        #expect(trip.vehicleWaypoints.isEmpty)
        let isLive = record.servingVehicle != nil
        if !isLive {
            #expect(trip.route.isEmpty && trip.remainingWaypoints.isEmpty && !trip.hasRemainingDistanceMeters)
            #expect(!trip.hasEtaToFirstWaypoint && !trip.hasRemainingTimeToFirstWaypoint && !trip.hasCurrentRouteSegmentTraffic)
        } else if trip.hasDropoffPoint {
            #expect(trip.remainingWaypoints.last?.tripID == record.name.trip)
            #expect(trip.remainingWaypoints.last?.waypointType == .dropOffWaypointType)
            #expect(trip.remainingWaypoints.last?.location == trip.dropoffPoint)
        }
        if record.status.isFinal {
            #expect(!trip.hasCurrentRouteSegmentVersion && !trip.hasRemainingWaypointsRouteVersion)
            #expect(trip.hasDropoffTime == (record.status == .complete))
        }
        if trip.hasRemainingTimeToFirstWaypoint { #expect(trip.remainingTimeToFirstWaypoint.lengthSeconds >= 0) }
        for interval in trip.currentRouteSegmentTraffic.speedReadingInterval {
            #expect(interval.startPolylinePointIndex < interval.endPolylinePointIndex)
        }
    }
}

/// A consumer that sends the versions it has and keeps what an answer leaves out. It must always end up with what a first call gets.
private struct Rider {
    private var last = WireTrip()

    /// The lines of the text form that only one of two trips has.
    private func difference(_ one: WireTrip, _ other: WireTrip) -> String {
        let lines = [one, other].map { Set($0.textFormatString().split(separator: "\n")) }
        return lines[0].symmetricDifference(lines[1]).sorted().prefix(10).joined(separator: " ")
    }

    mutating func poll(_ id: String, _ world: World) throws {
        guard let full = try? world.getTrip(id) else {
            last = WireTrip()
            return
        }
        let known = last
        let answer = try world.getTrip(id) {
            if known.hasCurrentRouteSegmentVersion { $0.currentRouteSegmentVersion = known.currentRouteSegmentVersion }
            if known.hasCurrentRouteSegmentTrafficVersion {
                $0.currentRouteSegmentTrafficVersion = known.currentRouteSegmentTrafficVersion
            }
            if known.hasRemainingWaypointsRouteVersion { $0.remainingWaypointsRouteVersion = known.remainingWaypointsRouteVersion }
        }
        var merged = answer
        if answer.hasCurrentRouteSegmentVersion, answer.currentRouteSegmentVersion == known.currentRouteSegmentVersion {
            #expect(answer.route.isEmpty && !answer.hasCurrentRouteSegmentEndPoint)
            merged.route = known.route
            if known.hasCurrentRouteSegmentEndPoint { merged.currentRouteSegmentEndPoint = known.currentRouteSegmentEndPoint }
        }
        if answer.hasCurrentRouteSegmentTrafficVersion,
            answer.currentRouteSegmentTrafficVersion == known.currentRouteSegmentTrafficVersion
        {
            #expect(!answer.hasCurrentRouteSegmentTraffic)
            if known.hasCurrentRouteSegmentTraffic { merged.currentRouteSegmentTraffic = known.currentRouteSegmentTraffic }
        }
        if answer.hasRemainingWaypointsRouteVersion,
            answer.remainingWaypointsRouteVersion == known.remainingWaypointsRouteVersion
        {
            #expect(answer.remainingWaypoints.count == known.remainingWaypoints.count)
            for index in answer.remainingWaypoints.indices where known.remainingWaypoints.indices.contains(index) {
                merged.remainingWaypoints[index].pathToWaypoint = known.remainingWaypoints[index].pathToWaypoint
                if known.remainingWaypoints[index].hasTrafficToWaypoint {
                    merged.remainingWaypoints[index].trafficToWaypoint = known.remainingWaypoints[index].trafficToWaypoint
                }
            }
        }
        if merged != full { Issue.record("\(id): \(difference(merged, full))") }
        last = merged
    }
}

/// Calls the engine at random, sensibly and not.
struct RandomCaller {
    static let trips = (0..<6).map { "t\($0)" }
    private static let vehicles = (0..<3).map { "v\($0)" }
    private static let statuses: [WireTripStatus] = WireTripStatus.allCases + [.UNRECOGNIZED(77)]

    var world: World
    private(set) var accepted = 0
    private(set) var refused = 0
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        var limits = EngineLimits()
        limits.trips = 5
        limits.waypointsPerVehicle = 14
        limits.routePoints = 150
        world = World(strict: seed % 4 == 3, limits: limits)
    }

    mutating func step() {
        world.wait(random.chance(0.05) ? random.double(in: -100...200_000) : random.double(in: 0...20))
        do throws(any Error) {
            try call()
            accepted += 1
        } catch {
            refused += 1
            guard let error = error as? FleetEngineError else {
                Issue.record("\(error)")
                return
            }
            #expect(error.code != .ok && error.code != .internal && error.code != .unknown)
            #expect(!error.message.isEmpty && error.message.utf8.count < 2_000)
        }
    }

    /// Removes expired trips: until then they are in the engine and cannot be read.
    mutating func sweep() { world.sweep() }

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

    /// Lets the router answer, sometimes with no way.
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
        if random.chance(0.5), let record = world.engine.vehicles.values.first(where: { $0.name.vehicle == vehicle }) {
            points += record.stops.prefix(2).map(\.coordinate)
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
        #expect(distances == distances.sorted())
    }
}
