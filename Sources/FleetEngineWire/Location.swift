package import FleetEngine
package import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

extension VehicleLocation {
    /// Creates a location from a report. Its coordinate is the first valid one of `location`, `raw_location` and `supplemental_location`;
    /// nil if none of them is valid.
    package init?(_ wire: WireVehicleLocation) {
        let raw = wire.hasRawLocation ? Coordinate(wire.rawLocation) : nil
        let supplemental = wire.hasSupplementalLocation ? Coordinate(wire.supplementalLocation) : nil
        guard let coordinate = (wire.hasLocation ? Coordinate(wire.location) : nil) ?? raw ?? supplemental else { return nil }
        self.init(coordinate: coordinate, rawCoordinate: raw)
        headingDegrees = wire.hasHeading ? Double(((wire.heading.value % 360) + 360) % 360) : nil
        // Real reports of a stationary vehicle contain speeds slightly below zero.
        speedMetersPerSecond = wire.hasSpeed ? Self.speed(wire.speed.value) : Self.olderSpeed(wire)
        accuracyMeters = Self.accuracy(wire)?.plausible(in: Plausible.accuracyMeters)
        altitudeMeters = wire.hasAltitude ? wire.altitude.value.plausible(in: Plausible.altitudeMeters) : nil
        // A report that has only a supplemental position, and no time of its own, gets the time of that position.
        let isAlone = !wire.hasLocation && raw == nil
        updateTime = wire.hasUpdateTime ? wire.updateTime.plausibleDate : isAlone ? Self.supplementalTime(wire) : nil
        rawLocationTime = wire.hasRawLocationTime ? wire.rawLocationTime.plausibleDate : nil
        serverTime = wire.hasServerTime ? wire.serverTime.plausibleDate : nil
        isRoadSnapped = wire.hasIsRoadSnapped ? wire.isRoadSnapped.value : nil
        self.supplemental = supplemental.map { place in
            let accuracy = wire.hasSupplementalLocationAccuracy ? wire.supplementalLocationAccuracy.value : nil
            return SupplementalLocation(
                coordinate: place, time: Self.supplementalTime(wire), accuracyMeters: accuracy?.plausible(in: Plausible.accuracyMeters))
        }
    }

    private static func speed(_ value: Double) -> Double? {
        value.isNaN ? nil : max(0, value).plausible(in: Plausible.metersPerSecond)
    }

    private static func olderSpeed(_ wire: WireVehicleLocation) -> Double? {
        wire.hasSpeedKmph ? (Double(wire.speedKmph.value) / 3.6).plausible(in: Plausible.metersPerSecond) : nil
    }

    private static func accuracy(_ wire: WireVehicleLocation) -> Double? {
        if wire.hasLatlngAccuracy { return wire.latlngAccuracy.value }
        if wire.hasHorizontalAccuracy { return wire.horizontalAccuracy.value }
        return wire.hasRawLocationAccuracy ? wire.rawLocationAccuracy.value : nil
    }

    private static func supplementalTime(_ wire: WireVehicleLocation) -> Date? {
        wire.hasSupplementalLocationTime ? wire.supplementalLocationTime.plausibleDate : nil
    }

    /// The location as a driver reports it: unknown values stay unset.
    package var wire: WireVehicleLocation {
        .with { wire in
            // If only a supplemental position is known, `location` stays unset, and the server sets it.
            if rawCoordinate != nil || supplemental?.coordinate != coordinate { wire.location = WireLatLng(coordinate) }
            if let headingDegrees, headingDegrees.isFinite {
                wire.heading = .init(Int32(rounding: headingDegrees.truncatingRemainder(dividingBy: 360) + 360) % 360)
            }
            if let speedMetersPerSecond, speedMetersPerSecond >= 0 { wire.speed = .init(speedMetersPerSecond) }
            if let accuracyMeters, accuracyMeters >= 0 { wire.latlngAccuracy = .init(accuracyMeters) }
            if let altitudeMeters, altitudeMeters.isFinite { wire.altitude = .init(altitudeMeters) }
            if let updateTime, updateTime.isPlausible { wire.updateTime = .init(moment: updateTime) }
            if let rawCoordinate { wire.rawLocation = WireLatLng(rawCoordinate) }
            if let rawLocationTime, rawLocationTime.isPlausible { wire.rawLocationTime = .init(moment: rawLocationTime) }
            if let isRoadSnapped {
                wire.isRoadSnapped = .init(isRoadSnapped)
                wire.locationSensor = isRoadSnapped ? .roadSnappedLocationProvider : .gps
            }
            if let supplemental { set(supplemental, in: &wire) }
        }
    }

    private func set(_ supplemental: SupplementalLocation, in wire: inout WireVehicleLocation) {
        wire.supplementalLocation = WireLatLng(supplemental.coordinate)
        wire.supplementalLocationSensor = .customerSuppliedLocation
        if let time = supplemental.time, time.isPlausible { wire.supplementalLocationTime = .init(moment: time) }
        if let meters = supplemental.accuracyMeters, meters >= 0 { wire.supplementalLocationAccuracy = .init(meters) }
    }
}

extension StopLocation {
    package init?(_ wire: WireStopLocation) {
        guard let coordinate = Coordinate(wire.point) else { return nil }
        self.init(coordinate: coordinate, time: wire.hasTimestamp ? wire.timestamp.plausibleDate : nil)
    }
}
