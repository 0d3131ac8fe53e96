package import FleetEngineAPI
import SwiftProtobuf

// Reads Fleet Engine's messages from the JSON of logs. Keys may be in any case, with or without underscores. Enums may be names or
// numbers. Values of the wrong type are left out, and unknown fields are skipped. Impossible values are kept here: the code that reads
// wire messages removes them.

extension WireTrip {
    package init(log value: JSONValue) {
        self.init()
        name = value["name"]?.string ?? ""
        tripStatus = value.first("tripstatus", "status")?.value(WireName.tripStatus) ?? .unknownTripStatus
        tripType = value["triptype"]?.value(WireName.tripType) ?? .unknownTripType
        vehicleID = value["vehicleid"]?.string ?? ""
        numberOfPassengers = value["numberofpassengers"]?.int32 ?? 0
        if let point = value["pickuppoint"]?.terminal { pickupPoint = point }
        if let point = value["dropoffpoint"]?.terminal { dropoffPoint = point }
        intermediateDestinations = value["intermediatedestinations"]?.list(\.terminal) ?? []
        intermediateDestinationIndex = value["intermediatedestinationindex"]?.int32 ?? 0
        if let time = value["pickuptime"]?.timestamp { pickupTime = time }
        if let time = value["dropofftime"]?.timestamp { dropoffTime = time }
        if let location = value["lastlocation"] { lastLocation = WireVehicleLocation(log: location) }
        if let stop = value["actualpickuppoint"]?.stop { actualPickupPoint = stop }
        if let stop = value["actualdropoffpoint"]?.stop { actualDropoffPoint = stop }
        attributes = value["attributes"]?.list { WireTripAttribute(log: $0) } ?? []
        setWay(value)
    }

    private mutating func setWay(_ value: JSONValue) {
        currentRouteSegment = value.first("currentroutesegment", "route")?.string ?? ""
        route = value.first("currentroutesegment", "route")?.points ?? value["route"]?.points ?? []
        if let point = value["currentroutesegmentendpoint"] { currentRouteSegmentEndPoint = WireTripWaypoint(log: point) }
        if let traffic = value["currentroutesegmenttraffic"] { currentRouteSegmentTraffic = WireConsumableTrafficPolyline(log: traffic) }
        if let meters = value["remainingdistancemeters"]?.int32Value { remainingDistanceMeters = meters }
        if let time = value["etatofirstwaypoint"]?.timestamp { etaToFirstWaypoint = time }
        if let duration = value["remainingtimetofirstwaypoint"]?.duration { remainingTimeToFirstWaypoint = duration }
        remainingWaypoints = value["remainingwaypoints"]?.list { WireTripWaypoint(log: $0) } ?? []
        vehicleWaypoints = value["vehiclewaypoints"]?.list { WireTripWaypoint(log: $0) } ?? []
    }
}

extension WireTripWaypoint {
    package init(log value: JSONValue) {
        self.init()
        if let place = value["location"]?.terminal { location = place }
        tripID = value["tripid"]?.string ?? ""
        waypointType = value.first("waypointtype", "type")?.value(WireName.waypointType) ?? .unknownWaypointType
        encodedPathToWaypoint = value.first("encodedpathtowaypoint", "pathtowaypoint")?.string ?? ""
        pathToWaypoint = value["pathtowaypoint"]?.points ?? []
        if let traffic = value["traffictowaypoint"] { trafficToWaypoint = WireConsumableTrafficPolyline(log: traffic) }
        if let meters = value["distancemeters"]?.int32Value { distanceMeters = meters }
        if let time = value["eta"]?.timestamp { eta = time }
        if let length = value["duration"]?.duration { duration = length }
    }
}

extension WireVehicle {
    package init(log value: JSONValue) {
        self.init()
        name = value["name"]?.string ?? ""
        vehicleState = value.first("vehiclestate", "state")?.value(WireName.vehicleState) ?? .unknownVehicleState
        supportedTripTypes = value.first("supportedtriptypes", "supportedtrips")?.list { $0.value(WireName.tripType) } ?? []
        maximumCapacity = value["maximumcapacity"]?.int32 ?? 0
        if let category = value["vehicletype"]?.first("category", "vehiclecategory")?.value(WireName.category) {
            vehicleType.category = category
        }
        currentTrips = value["currenttrips"]?.list(\.nonEmptyString) ?? []
        attributes = value["attributes"]?.list { WireVehicleAttribute(log: $0) } ?? []
        backToBackEnabled = value["backtobackenabled"]?.bool ?? false
        navigationStatus = value.first("navigationstatus", "navstatus")?.value(WireName.navigationStatus) ?? .unknownNavigationStatus
        if let country = value["licenseplate"]?["countrycode"]?.nonEmptyString { licensePlate.countryCode = country }
        if let character = value["licenseplate"]?["lastcharacter"]?.nonEmptyString { licensePlate.lastCharacter = character }
        if let location = value["lastlocation"] { lastLocation = WireVehicleLocation(log: location) }
        waypoints = value["waypoints"]?.list { WireTripWaypoint(log: $0) } ?? []
        if let meters = value["remainingdistancemeters"]?.int32Value { remainingDistanceMeters = meters }
        if let seconds = value["remainingtimeseconds"]?.duration { remainingTimeSeconds = .init(rounding: seconds.lengthSeconds) }
        if let time = value["etatofirstwaypoint"]?.timestamp { etaToFirstWaypoint = time }
        currentRouteSegment = value["currentroutesegment"]?.string ?? ""
        if let point = value["currentroutesegmentendpoint"] { currentRouteSegmentEndPoint = WireTripWaypoint(log: point) }
        if let traffic = value["currentroutesegmenttraffic"] {
            let stretches = traffic["trafficrendering"]?["roadstretch"]?.list {
                WireVisualTrafficReportPolylineRendering.RoadStretch(log: $0)
            }
            currentRouteSegmentTraffic.trafficRendering.roadStretch = stretches ?? []
        }
    }
}

extension WireVehicleLocation {
    init(log value: JSONValue) {
        self.init()
        if let place = value["location"]?.latLng { location = place }
        if let place = value["rawlocation"]?.latLng { rawLocation = place }
        if let place = value["supplementallocation"]?.latLng { supplementalLocation = place }
        if let degrees = value["heading"]?.int32Value { heading = degrees }
        if let number = value["headingaccuracy"]?.doubleValue { headingAccuracy = number }
        if let number = value["speed"]?.doubleValue { speed = number }
        if let number = value["speedkmph"]?.int32Value { speedKmph = number }
        if let number = value["latlngaccuracy"]?.doubleValue { latlngAccuracy = number }
        if let number = value["horizontalaccuracy"]?.doubleValue { horizontalAccuracy = number }
        if let number = value["rawlocationaccuracy"]?.doubleValue { rawLocationAccuracy = number }
        if let number = value["altitude"]?.doubleValue { altitude = number }
        if let time = value["updatetime"]?.timestamp { updateTime = time }
        if let time = value["rawlocationtime"]?.timestamp { rawLocationTime = time }
        if let time = value["supplementallocationtime"]?.timestamp { supplementalLocationTime = time }
        if let time = value["servertime"]?.timestamp { serverTime = time }
        if let flag = value.first("isroadsnapped", "roadsnapped")?.bool { isRoadSnapped = .init(flag) }
    }
}

extension WireConsumableTrafficPolyline {
    init(log value: JSONValue) {
        self.init()
        encodedPathToWaypoint = value["encodedpathtowaypoint"]?.string ?? ""
        speedReadingInterval = (value["speedreadinginterval"]?.array ?? []).compactMap { element in
            guard let end = element["endpolylinepointindex"]?.int32 else { return nil }
            return .with {
                $0.startPolylinePointIndex = element["startpolylinepointindex"]?.int32 ?? 0
                $0.endPolylinePointIndex = end
                $0.speed = element["speed"]?.value(WireName.speed) ?? .unspecified
            }
        }
    }
}

extension WireVisualTrafficReportPolylineRendering.RoadStretch {
    /// Creates the stretch; nil unless the value has a style and a length.
    init?(log value: JSONValue) {
        guard let style = value["style"]?.value(WireName.stretchStyle), let length = value["lengthmeters"]?.int32 else { return nil }
        self.init()
        self.style = style
        offsetMeters = value["offsetmeters"]?.int32 ?? 0
        lengthMeters = length
    }
}

extension WireTripAttribute {
    /// Creates the attribute; nil without a key or a value.
    init?(log value: JSONValue) {
        guard let key = value["key"]?.nonEmptyString else { return nil }
        self.init()
        self.key = key
        switch value.first("stringvalue", "value", "boolvalue", "numbervalue") {
        case .string(let text): stringValue = text
        case .bool(let flag): boolValue = flag
        case .number(let number): numberValue = number
        default: return nil
        }
    }
}

extension WireVehicleAttribute {
    /// Creates the attribute; nil without a key or a value.
    init?(log value: JSONValue) {
        guard let attribute = WireTripAttribute(log: value) else { return nil }
        self.init()
        key = attribute.key
        self.value = attribute.text
        stringValue = attribute.text
    }
}
