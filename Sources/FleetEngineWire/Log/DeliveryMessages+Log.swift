package import FleetEngineAPI
import FoundationEssentials
import SwiftProtobuf

// Reads the deliveries API's messages from the JSON of logs. Variations of the form are accepted, as they are for trip messages.

extension WireTask {
    package init(log value: JSONValue) {
        self.init()
        name = value["name"]?.string ?? ""
        type = value["type"]?.value(WireName.taskType) ?? .unspecified
        state = value["state"]?.value(WireName.taskState) ?? .unspecified
        trackingID = value["trackingid"]?.string ?? ""
        deliveryVehicleID = value["deliveryvehicleid"]?.string ?? ""
        if let place = value["plannedlocation"]?.place { plannedLocation = place }
        if let length = value["taskduration"]?.duration { taskDuration = length }
        if let journey = value["journeysharinginfo"] { journeySharingInfo = JourneySharingInfo(log: journey) }
        if let window = value["targettimewindow"]?.window { targetTimeWindow = window }
        if let config = value["tasktrackingviewconfig"] { taskTrackingViewConfig = WireTaskTrackingViewConfig(log: config) }
        attributes = value["attributes"]?.list { WireTaskAttribute(log: $0) } ?? []
        setOutcome(value)
    }

    private mutating func setOutcome(_ value: JSONValue) {
        taskOutcome = value["taskoutcome"]?.value(WireName.taskOutcome) ?? .unspecified
        if let time = value["taskoutcometime"]?.timestamp { taskOutcomeTime = time }
        if let place = value["taskoutcomelocation"]?.place { taskOutcomeLocation = place }
        taskOutcomeLocationSource = value["taskoutcomelocationsource"]?.value(WireName.taskOutcomeLocationSource) ?? .unspecified
    }
}

extension WireTask.JourneySharingInfo {
    fileprivate init(log value: JSONValue) {
        self.init()
        remainingVehicleJourneySegments = value["remainingvehiclejourneysegments"]?.segments ?? []
        if let location = value["lastlocation"] { lastLocation = WireVehicleLocation(log: location) }
        lastLocationSnappable = value["lastlocationsnappable"]?.bool ?? false
    }
}

extension WireDeliveryVehicle {
    package init(log value: JSONValue) {
        self.init()
        name = value["name"]?.string ?? ""
        type = value["type"]?.value(WireName.deliveryVehicleType) ?? .unspecified
        if let location = value["lastlocation"] { lastLocation = WireVehicleLocation(log: location) }
        navigationStatus = value["navigationstatus"]?.value(WireName.navigationStatus) ?? .unknownNavigationStatus
        if let text = value["currentroutesegment"]?.string { currentRouteSegment = Self.characters(text) }
        if let point = value["currentroutesegmentendpoint"]?.latLng { currentRouteSegmentEndPoint = point }
        if let meters = value["remainingdistancemeters"]?.int32Value { remainingDistanceMeters = meters }
        if let length = value["remainingduration"]?.duration { remainingDuration = length }
        remainingVehicleJourneySegments = value["remainingvehiclejourneysegments"]?.segments ?? []
        attributes = value["attributes"]?.list { WireVehicleAttribute(log: $0) } ?? []
        pastLocations = value["pastlocations"]?.list { WireVehicleLocation(log: $0) } ?? []
    }

    /// Returns the characters of an encoded path. JSON contains them as base64, but some loggers write them without base64. If `text`
    /// cannot be decoded, or decodes to unprintable characters, it was not base64 and is returned unchanged.
    private static func characters(_ text: String) -> Data {
        guard let decoded = Data(base64Encoded: text), decoded.allSatisfy({ (0x21...0x7E).contains($0) }) else { return Data(text.utf8) }
        return decoded
    }
}

extension WireVehicleJourneySegment {
    fileprivate init(log value: JSONValue) {
        self.init()
        if let stop = value["stop"] { self.stop = WireVehicleStop(log: stop) }
        if let meters = value["drivingdistancemeters"]?.int32Value { drivingDistanceMeters = meters }
        if let length = value["drivingduration"]?.duration { drivingDuration = length }
        path = value["path"]?.points ?? []
    }
}

extension WireVehicleStop {
    fileprivate init(log value: JSONValue) {
        self.init()
        if let place = value["plannedlocation"]?.place { plannedLocation = place }
        state = value["state"]?.value(WireName.stopState) ?? .unspecified
        tasks =
            value["tasks"]?.list(atMost: JSONValue.maximumTaskCount) { task in
                .with {
                    $0.taskID = task["taskid"]?.string ?? ""
                    if let length = task["taskduration"]?.duration { $0.taskDuration = length }
                    if let window = task["targettimewindow"]?.window { $0.targetTimeWindow = window }
                }
            } ?? []
    }
}

extension WireTaskTrackingViewConfig {
    fileprivate init(log value: JSONValue) {
        self.init()
        if let option = value["routepolylinepointsvisibility"]?.visibility { routePolylinePointsVisibility = option }
        if let option = value["estimatedarrivaltimevisibility"]?.visibility { estimatedArrivalTimeVisibility = option }
        if let option = value["estimatedtaskcompletiontimevisibility"]?.visibility { estimatedTaskCompletionTimeVisibility = option }
        if let option = value["remainingdrivingdistancevisibility"]?.visibility { remainingDrivingDistanceVisibility = option }
        if let option = value["remainingstopcountvisibility"]?.visibility { remainingStopCountVisibility = option }
        if let option = value["vehiclelocationvisibility"]?.visibility { vehicleLocationVisibility = option }
    }
}

extension WireTaskAttribute {
    /// Creates the attribute; nil without a key or a value.
    fileprivate init?(log value: JSONValue) {
        guard let attribute = WireTripAttribute(log: value) else { return nil }
        self.init()
        key = attribute.key
        switch attribute.tripAttributeValue {
        case .stringValue(let text): stringValue = text
        case .boolValue(let flag): boolValue = flag
        case .numberValue(let number): numberValue = number
        case nil: break
        }
    }
}

extension JSONValue {
    /// The maximum number of stops that are read per vehicle, and of tasks that are read per stop. A server has the same limits.
    private static let maximumStopCount = 300
    fileprivate static let maximumTaskCount = 500

    fileprivate var segments: [WireVehicleJourneySegment]? {
        list(atMost: Self.maximumStopCount) { WireVehicleJourneySegment(log: $0) }
    }

    fileprivate var place: WireLocationInfo? {
        (self["point"]?.latLng ?? latLng).map { point in .with { $0.point = point } }
    }

    fileprivate var window: WireTimeWindow? {
        guard let start = self["starttime"]?.timestamp, let end = self["endtime"]?.timestamp else { return nil }
        return .with {
            $0.startTime = start
            $0.endTime = end
        }
    }

    fileprivate var visibility: WireTaskTrackingViewConfig.VisibilityOption? {
        var option = WireTaskTrackingViewConfig.VisibilityOption()
        if let count = self["remainingstopcountthreshold"]?.int32 { option.remainingStopCountThreshold = count }
        if let length = self["durationuntilestimatedarrivaltimethreshold"]?.duration {
            option.durationUntilEstimatedArrivalTimeThreshold = length
        }
        if let meters = self["remainingdrivingdistancemetersthreshold"]?.int32 { option.remainingDrivingDistanceMetersThreshold = meters }
        if let flag = self["always"]?.bool { option.always = flag }
        if let flag = self["never"]?.bool { option.never = flag }
        return option.visibilityOption == nil ? nil : option
    }
}
