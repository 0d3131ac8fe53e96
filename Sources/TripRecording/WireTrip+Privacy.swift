import FleetEngine
package import FleetEngineAPI
import FleetEngineWire
import Geo
import SwiftProtobuf

// Removes the locations of other riders' stops from answers before the answers are recorded.

/// The id that replaces the trip id of another rider.
private let otherTrip = "other"
/// A recorded route towards another rider's stop ends this far before the stop, in metres.
private let awayMeters = 150.0

extension WireTrip {
    /// Returns the answer without the data of other riders. Their stops stay in the list without a location, and routes that lead to them
    /// end early.
    /// - Parameter trip: the id of the recorded trip, without its provider.
    package func withoutOtherRiders(of trip: String) -> WireTrip {
        func isForeign(_ stop: WireTripWaypoint) -> Bool { !stop.tripID.isEmpty && stop.tripID != trip }
        var wire = self
        wire.remainingWaypoints = Self.withoutOthers(remainingWaypoints, isForeign)
        wire.vehicleWaypoints = Self.withoutOthers(vehicleWaypoints, isForeign)
        let endsForeign = hasCurrentRouteSegmentEndPoint && isForeign(currentRouteSegmentEndPoint)
        if endsForeign { wire.currentRouteSegmentEndPoint = .other }
        if endsForeign || remainingWaypoints.first.map(isForeign) == true { wire.endRouteEarly() }
        return wire
    }

    /// Replaces the stops of other riders. Adds the distances of these stops to the distance of the recorded rider's next stop, so
    /// that the total distance to that stop stays the same.
    private static func withoutOthers(_ stops: [WireTripWaypoint], _ isForeign: (WireTripWaypoint) -> Bool) -> [WireTripWaypoint] {
        var kept: [WireTripWaypoint] = []
        var untold: Int32? = 0
        for (index, stop) in stops.enumerated() {
            guard !isForeign(stop) else {
                kept.append(.other(of: stop.waypointType))
                // The distance to the first stop is a field of the trip itself.
                if index > 0 {
                    untold = stop.hasDistanceMeters ? untold?.addingReportingOverflow(stop.distanceMeters.value).partialValue : nil
                }
                continue
            }
            kept.append(index > 0 && isForeign(stops[index - 1]) ? stop.afterOthers(untold) : stop)
            untold = 0
        }
        return kept
    }

    private mutating func endRouteEarly() {
        var paths = PathReader()
        let own = paths.line(encoded: currentRouteSegment, list: route)
        guard !own.isEmpty else {
            clearCurrentRouteSegmentTraffic()
            return
        }
        let kept = own.slice(fromMeters: 0, toMeters: max(0, own.lengthMeters - awayMeters)).coordinates
        let isWhole = own.lengthMeters > awayMeters
        if currentRouteSegmentTraffic.speedReadingInterval.isEmpty || !isWhole {
            clearCurrentRouteSegmentTraffic()
        } else {
            currentRouteSegmentTraffic = currentRouteSegmentTraffic.ending(before: kept.count)
        }
        if !currentRouteSegment.isEmpty { currentRouteSegment = isWhole ? S2Polyline.encode(kept) : "" }
        route = isWhole && !route.isEmpty ? kept.map { WireLatLng($0) } : []
    }
}

extension WireVehicle {
    /// The vehicle's own data, without its destinations and riders.
    package var withoutRiders: WireVehicle {
        .with {
            $0.name = name
            $0.vehicleState = vehicleState
            $0.supportedTripTypes = supportedTripTypes
            $0.maximumCapacity = maximumCapacity
            if hasVehicleType { $0.vehicleType = vehicleType }
            $0.attributes = attributes
            if hasLicensePlate { $0.licensePlate = licensePlate }
        }
    }
}

extension WireTripWaypoint {
    fileprivate static let other = WireTripWaypoint.with { $0.tripID = otherTrip }

    /// A stop of another rider. It keeps its type, because the text about the stops before the recorded rider's stop depends on the types
    /// of these stops.
    fileprivate static func other(of type: WireWaypointType) -> WireTripWaypoint {
        .with {
            $0.tripID = otherTrip
            $0.waypointType = type
        }
    }

    /// Returns a stop of the recorded rider without the path to it. Used if the previous stop belongs to another rider.
    fileprivate func afterOthers(_ untoldMeters: Int32?) -> WireTripWaypoint {
        var stop = self
        stop.pathToWaypoint = []
        stop.encodedPathToWaypoint = ""
        stop.clearTrafficToWaypoint()
        if let untoldMeters, hasDistanceMeters {
            stop.distanceMeters.value = distanceMeters.value.addingReportingOverflow(untoldMeters).partialValue
        } else {
            stop.clearDistanceMeters()
        }
        return stop
    }
}

extension WireConsumableTrafficPolyline {
    /// Returns the traffic on the first `count` points of the route. Returns no traffic if the indices in the traffic refer to another
    /// polyline.
    fileprivate func ending(before count: Int) -> WireConsumableTrafficPolyline {
        guard encodedPathToWaypoint.isEmpty else { return WireConsumableTrafficPolyline() }
        var kept = self
        kept.speedReadingInterval = speedReadingInterval.compactMap { run in
            guard Int(run.startPolylinePointIndex) < count - 1 else { return nil }
            var run = run
            run.endPolylinePointIndex = min(run.endPolylinePointIndex, Int32(clamping: count - 1))
            return run
        }
        return kept
    }
}

extension WireTrip {
    /// Returns the trip with placeholders for the stops of other riders: the position 0,0, and a distance of 0 m from the stop before. The
    /// first of the remaining stops gets no distance, because its distance is a field of the trip itself. A recording leaves out the
    /// position and distance of these stops. The program needs the positions to count the stops, and the distances to add them up.
    func placingOthers() -> WireTrip {
        guard remainingWaypoints.contains(where: { $0.tripID == otherTrip && !$0.location.hasPoint }) else { return self }
        var wire = self
        for index in remainingWaypoints.indices where remainingWaypoints[index].tripID == otherTrip {
            wire.remainingWaypoints[index].location.point = WireLatLng(Coordinate(latitude: 0, longitude: 0))
            if index > 0 { wire.remainingWaypoints[index].distanceMeters.value = 0 }
        }
        return wire
    }
}
