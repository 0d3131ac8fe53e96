import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf

extension VehicleRecord {
    /// Applies an `UpdateVehicle` call, except for an impossible position.
    /// - Returns: whether a position was dropped.
    mutating func apply(_ change: VehicleChange, judgesJumps: Bool, _ context: RouteContext) -> Bool {
        updatedAt = context.now
        applySettings(change)
        let location = change.location.flatMap { judgesJumps && jumps.discards($0, after: vehicle.lastLocation) ? nil : $0 }
        if let location { vehicle.lastLocation = location }
        if let stops = change.stops { setStops(stops, context) }
        applyReport(change, context.now)
        if change.route != nil {
            applyRoute(change, context)
        } else if change.fields.contains(.currentRouteSegmentTraffic) {
            setTraffic(change.stretches, context)
        }
        if location != nil { followPosition(context) }
        if isGuided, change.fields.contains(.remainingDistanceMeters) { report.own = ownDistance }
        return location == nil && change.location != nil
    }

    private mutating func applySettings(_ change: VehicleChange) {
        let (fields, values) = (change.fields, change.values)
        if fields.contains(.vehicleState) { vehicle.vehicleState = values.vehicleState }
        if fields.contains(.supportedTripTypes) { vehicle.supportedTripTypes = values.supportedTripTypes }
        if fields.contains(.maximumCapacity) { vehicle.maximumCapacity = values.maximumCapacity }
        if fields.contains(.attributes) { vehicle.attributes = change.attributes }
        if fields.contains(.vehicleType) { vehicle.vehicleType = values.vehicleType }
        if fields.contains(.backToBackEnabled) { vehicle.backToBackEnabled = values.backToBackEnabled }
        if fields.contains(.navigationStatus) { vehicle.navigationStatus = values.navigationStatus }
        if fields.contains(.route) { vehicle.route = values.route }
        guard fields.contains(.licensePlate) else { return }
        if values.hasLicensePlate { vehicle.licensePlate = values.licensePlate } else { vehicle.clearLicensePlate() }
    }

    /// Applies the remaining distance and time that the driver reports. A reported time in seconds is added to `now`, and takes precedence
    /// over a reported arrival time. A field that is in the mask but has no value becomes unknown. Without guidance, nothing is applied,
    /// because apps then keep sending old values.
    private mutating func applyReport(_ change: VehicleChange, _ now: Date) {
        guard isGuided else { return }
        let (fields, values) = (change.fields, change.values)
        if fields.contains(.remainingDistanceMeters) {
            report.remainingMeters = values.hasRemainingDistanceMeters ? values.remainingDistanceMeters.value : nil
            if values.hasRemainingDistanceMeters {
                vehicle.remainingDistanceMeters = values.remainingDistanceMeters
            } else {
                vehicle.clearRemainingDistanceMeters()
            }
        }
        guard fields.contains(.remainingTimeSeconds) || fields.contains(.etaToFirstWaypoint) else { return }
        if fields.contains(.remainingTimeSeconds), values.hasRemainingTimeSeconds {
            report.arrival = now.addingTimeInterval(Double(values.remainingTimeSeconds.value))
        } else if fields.contains(.etaToFirstWaypoint), values.hasEtaToFirstWaypoint {
            report.arrival = values.etaToFirstWaypoint.moment
        } else {
            report.arrival = nil
        }
        if let arrival = report.arrival {
            vehicle.etaToFirstWaypoint = Google_Protobuf_Timestamp(moment: arrival)
        } else {
            vehicle.clearEtaToFirstWaypoint()
        }
    }

    /// Discards the driver's remaining distance and time, so that they are neither used nor sent in answers.
    mutating func forgetReport() {
        report = Report()
        vehicle.clearRemainingDistanceMeters()
        vehicle.clearEtaToFirstWaypoint()
    }

    private mutating func applyRoute(_ change: VehicleChange, _ context: RouteContext) {
        guard let route = change.route, !route.isEmpty else { return setUpload(nil, context) }
        let (fields, values) = (change.fields, change.values)
        let saysMeters = isGuided && fields.contains(.remainingDistanceMeters) && values.hasRemainingDistanceMeters
        let saysSeconds = isGuided && fields.contains(.remainingTimeSeconds) && values.hasRemainingTimeSeconds
        var leg = StopPath(
            uploaded: route, encoded: values.currentRouteSegment,
            durationSeconds: saysSeconds ? Double(values.remainingTimeSeconds.value) : nil, stretches: change.stretches)
        if saysMeters, let position { leg.fitLength(restMeters: Double(values.remainingDistanceMeters.value), from: position) }
        let endPoint =
            fields.contains(.currentRouteSegmentEndPoint) && values.hasCurrentRouteSegmentEndPoint
            ? values.currentRouteSegmentEndPoint : nil
        setUpload(UploadedRoute(leg: leg, endPoint: endPoint), context)
    }
}
