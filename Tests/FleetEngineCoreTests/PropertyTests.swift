import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Random requests in random order")
struct PropertyTests {
    @Test("nothing traps, every refusal has a message, and the invariants always hold", arguments: 0..<8 as Range<UInt64>)
    func invariants(seed: UInt64) throws {
        var caller = RandomCaller(seed: seed)
        var riders: [String: Rider] = [:]
        for step in 0..<400 {
            caller.step()
            // Checks after every step would take most of the test's time. Every fourth step is enough to show where a fault began.
            guard step.isMultiple(of: 4) else { continue }
            caller.sweep()
            try check(caller.world)
            for id in RandomCaller.trips { try riders[id, default: Rider()].poll(id, caller.world) }
        }
        #expect(caller.faults.isEmpty, "\(caller.faults)")
        #expect(caller.accepted > 80, "\(caller.accepted) accepted, \(caller.refused) refused")
        #expect(caller.refused > 80, "\(caller.accepted) accepted, \(caller.refused) refused")
    }

    @Test(
        "the reported changes of a run, applied to an empty engine, give the same state; a refusal reports no changes",
        arguments: 0..<4 as Range<UInt64>)
    func changes(seed: UInt64) {
        var caller = RandomCaller(seed: seed)
        for step in 0..<600 {
            let before = caller.world
            let refused = caller.refused
            caller.step()
            if caller.refused > refused {
                // Even a refused request for a change may remove expired trips.
                var swept = before
                swept.now = caller.world.now
                swept.change { _, _ in ((), []) }
                #expect([before, swept].contains { $0.engine == caller.world.engine && $0.changes == caller.world.changes })
            }
            if step.isMultiple(of: 100) { #expect(caller.world.copy == caller.world.engine) }
        }
        caller.sweep()
        #expect(caller.world.copy == caller.world.engine)
        #expect(caller.faults.isEmpty, "\(caller.faults)")
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

    /// Checks that the indexes, which each change updates, equal indexes computed from all trips and vehicles.
    private func checkIndexes(_ engine: FleetEngineState) {
        var (trips, vehicles) = (TripIndex(), VehicleIndex())
        for record in engine.trips.values { trips.put(record, insteadOf: nil) }
        for record in engine.vehicles.values { vehicles.put(record, insteadOf: nil) }
        #expect(engine.tripIndex == trips)
        #expect(engine.vehicleIndex == vehicles)
    }

    /// Checks that no leg is shorter than the straight line, and that times never decrease along the route.
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

/// A consumer that requests only changes: it sends its versions, and keeps the fields that an answer omits. Its trip must
/// always equal a complete answer.
private struct Rider {
    private var last = WireTrip()

    /// Returns the lines of the text form that only one of the two trips has.
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
