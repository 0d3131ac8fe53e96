import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

/// Checks a driver's position report, fills in defaults, and adds the time of its arrival.
enum LocationIntake {
    /// - Throws: INVALID_ARGUMENT for a report without a position, for values out of range, and for sensors that are reserved for Fleet
    ///   Engine.
    static func accepted(
        _ report: WireVehicleLocation, at now: Date, limits: EngineLimits
    ) throws(FleetEngineError) -> WireVehicleLocation {
        try Check.size(report, "last_location", limits: limits)
        guard report.hasLocation || report.hasRawLocation || report.hasSupplementalLocation else {
            throw .invalid("last_location", "last_location has no position: location, raw_location or supplemental_location is required")
        }
        try checkPlaces(report)
        try checkHeadings(report)
        try checkFigures(report)
        try checkTimes(report)
        try checkSensors(report)
        var location = report
        location.serverTime = Google_Protobuf_Timestamp(moment: now)
        fillDefaults(&location)
        return location
    }

    private static func checkPlaces(_ report: WireVehicleLocation) throws(FleetEngineError) {
        if report.hasLocation { try Check.place(report.location, "last_location.location") }
        if report.hasRawLocation { try Check.place(report.rawLocation, "last_location.raw_location") }
        if report.hasSupplementalLocation { try Check.place(report.supplementalLocation, "last_location.supplemental_location") }
        if report.hasFlpLocation { try Check.place(report.flpLocation, "last_location.flp_location") }
    }

    private static func checkHeadings(_ report: WireVehicleLocation) throws(FleetEngineError) {
        let headings: [(Bool, Int32, String)] = [
            (report.hasHeading, report.heading.value, "heading"),
            (report.hasFlpHeadingDegrees, report.flpHeadingDegrees.value, "flp_heading_degrees"),
        ]
        for (isSet, degrees, name) in headings where isSet && !(0...359).contains(degrees) {
            throw .invalid("last_location.\(name)", "last_location.\(name) must be from 0 to 359 degrees")
        }
    }

    private static func checkFigures(_ report: WireVehicleLocation) throws(FleetEngineError) {
        let figures: [(Double, String)] = [
            (report.altitude.value, "altitude"), (report.speed.value, "speed"), (report.speedAccuracy.value, "speed_accuracy"),
            (report.horizontalAccuracy.value, "horizontal_accuracy"), (report.verticalAccuracy.value, "vertical_accuracy"),
            (report.bearingAccuracy.value, "bearing_accuracy"), (report.latlngAccuracy.value, "latlng_accuracy"),
            (report.headingAccuracy.value, "heading_accuracy"), (report.altitudeAccuracy.value, "altitude_accuracy"),
            (report.supplementalLocationAccuracy.value, "supplemental_location_accuracy"),
            (report.rawLocationAccuracy.value, "raw_location_accuracy"),
            (report.flpLatlngAccuracyMeters.value, "flp_latlng_accuracy_meters"),
        ]
        for (figure, name) in figures where !figure.isFinite {
            throw .invalid("last_location.\(name)", "last_location.\(name) must be a finite number")
        }
    }

    private static func checkTimes(_ report: WireVehicleLocation) throws(FleetEngineError) {
        if report.hasUpdateTime { try Check.time(report.updateTime, "last_location.update_time") }
        if report.hasRawLocationTime { try Check.time(report.rawLocationTime, "last_location.raw_location_time") }
        if report.hasSupplementalLocationTime {
            try Check.time(report.supplementalLocationTime, "last_location.supplemental_location_time")
        }
        if report.hasFlpUpdateTime { try Check.time(report.flpUpdateTime, "last_location.flp_update_time") }
    }

    private static func checkSensors(_ report: WireVehicleLocation) throws(FleetEngineError) {
        let sensors = [
            (report.locationSensor, "location_sensor"), (report.rawLocationSensor, "raw_location_sensor"),
            (report.supplementalLocationSensor, "supplemental_location_sensor"),
        ]
        for (sensor, name) in sensors where sensor == .fleetEngineLocation {
            throw .invalid(
                "last_location.\(name)", "last_location.\(name) must not be FLEET_ENGINE_LOCATION, which is allowed only in responses")
        }
    }

    /// Sets the default sensors of the API. A missing best position is replaced by the raw or the supplemental one.
    private static func fillDefaults(_ location: inout WireVehicleLocation) {
        if location.hasRawLocation, location.rawLocationSensor == .unknownSensor { location.rawLocationSensor = .gps }
        if location.hasSupplementalLocation, location.supplementalLocationSensor == .unknownSensor {
            location.supplementalLocationSensor = .customerSuppliedLocation
        }
        // Apps in recorded traffic send an accuracy of 0 for a supplemental position that they do not have.
        if !location.hasSupplementalLocation { location.clearSupplementalLocationAccuracy() }
        guard !location.hasLocation else { return }
        if location.hasRawLocation {
            location.location = location.rawLocation
            if location.locationSensor == .unknownSensor { location.locationSensor = location.rawLocationSensor }
        } else {
            location.location = location.supplementalLocation
            if location.locationSensor == .unknownSensor { location.locationSensor = location.supplementalLocationSensor }
            if !location.hasUpdateTime, location.hasSupplementalLocationTime {
                location.updateTime = location.supplementalLocationTime
            }
            if !location.hasLatlngAccuracy, location.hasSupplementalLocationAccuracy {
                location.latlngAccuracy = location.supplementalLocationAccuracy
            }
        }
    }
}

extension WireVehicleLocation {
    /// The time of the fix: the first of `update_time` and `raw_location_time` that is set, or else the time at which the report arrived.
    var fixTime: Google_Protobuf_Timestamp {
        hasUpdateTime ? updateTime : hasRawLocationTime ? rawLocationTime : serverTime
    }

    /// The location in answers about a vehicle. Recorded answers to `UpdateVehicle` leave out some fields that the driver has reported,
    /// such as `is_road_snapped`. This location leaves out the same fields.
    var forVehicleAnswer: WireVehicleLocation {
        // Most reports need no copy, which would take as long as all other work on the position.
        guard hasIsGpsSensorEnabled || hasIsRoadSnapped || hasTimeSinceUpdate || hasNumStaleUpdates else { return self }
        var answer = self
        answer.clearIsGpsSensorEnabled()
        answer.clearIsRoadSnapped()
        answer.clearTimeSinceUpdate()
        answer.clearNumStaleUpdates()
        return answer
    }

    /// The location for consumers, with only the best position. The time of the raw fix is kept, because drivers rarely send
    /// `update_time`, and a consumer needs one of the two times to recognise an old fix.
    var forTripAnswer: WireVehicleLocation {
        var answer = forVehicleAnswer
        answer.clearRawLocation()
        answer.clearRawLocationAccuracy()
        answer.rawLocationSensor = .unknownSensor
        answer.clearSupplementalLocation()
        answer.clearSupplementalLocationTime()
        answer.clearSupplementalLocationAccuracy()
        answer.supplementalLocationSensor = .unknownSensor
        answer.clearFlpLocation()
        answer.clearFlpUpdateTime()
        answer.clearFlpLatlngAccuracyMeters()
        answer.clearFlpHeadingDegrees()
        return answer
    }
}
