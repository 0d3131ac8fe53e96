import FleetEngine
import FoundationEssentials
import Geo

/// What a log entry says of a trip. What it does not say is nil.
struct TripReport: Hashable, Sendable {
    var status: TripStatus?
    /// Empty un-assigns.
    var vehicleID: String?
    var type: TripType?
    var numberOfPassengers: Int?
    var pickupPoint: Coordinate?
    var dropoffPoint: Coordinate?
    var intermediateDestinations: [Coordinate]?
    var intermediateDestinationIndex: Int?
    var pickupTime: Date?
    var dropoffTime: Date?
    var location: VehicleLocation?
    var route: RecordedPath?
    var traffic: TrafficReport?
    var remainingDistanceMeters: Double?
    var eta: Date?
    var remainingTimeSeconds: Double?
    var waypoints: [WaypointReport]?
    var actualPickup: StopLocation?
    var actualDropoff: StopLocation?
    var attributes: [String: String]?

    init(_ value: JSONValue) {
        status = value.first("status", "tripstatus")?.tripStatus
        vehicleID = value["vehicleid"]?.string
        type = value["triptype"]?.tripType
        numberOfPassengers = value["numberofpassengers"]?.count
        pickupPoint = value["pickuppoint"]?.terminalCoordinate
        dropoffPoint = value["dropoffpoint"]?.terminalCoordinate
        intermediateDestinations = value["intermediatedestinations"]?.terminalCoordinates
        intermediateDestinationIndex = value["intermediatedestinationindex"]?.count
        pickupTime = value["pickuptime"]?.date
        dropoffTime = value["dropofftime"]?.date
        location = value["lastlocation"]?.vehicleLocation
        route = value["currentroutesegment"]?.path ?? value["route"]?.path
        traffic = TrafficReport(value["currentroutesegmenttraffic"])
        remainingDistanceMeters = value["remainingdistancemeters"]?.meters
        eta = value["etatofirstwaypoint"]?.date
        remainingTimeSeconds = value["remainingtimetofirstwaypoint"]?.durationSeconds
        waypoints = WaypointReport.list(value["remainingwaypoints"])
        actualPickup = value["actualpickuppoint"]?.stopLocation
        actualDropoff = value["actualdropoffpoint"]?.stopLocation
        attributes = value["attributes"]?.attributes
    }
}
