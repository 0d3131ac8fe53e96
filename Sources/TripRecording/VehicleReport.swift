import FleetEngine
import FoundationEssentials
import Geo

/// What a log entry says of a vehicle: the server's answer, completed by what the driver sent. What it does not say is nil.
struct VehicleReport: Hashable, Sendable {
    var state: VehicleState?
    var supportedTripTypes: [TripType]?
    var maximumCapacity: Int?
    var category: VehicleCategory?
    var currentTrips: [String]?
    var attributes: [String: String]?
    var backToBackEnabled: Bool?
    var navigationStatus: NavigationStatus?
    var licensePlateLastCharacter: String?
    var location: VehicleLocation?
    /// The driver sent the location with this very call; otherwise it is an older one that the answer repeats.
    var isLocationNew: Bool
    var remainingDistanceMeters: Double?
    var eta: Date?
    var waypoints: [WaypointReport]?
    /// The driver's route, empty when this call took it away.
    var route: RecordedPath?
    /// The driver's slow stretches along the route; nil when this call said nothing of traffic.
    var stretches: [TrafficStretch]?

    /// - Parameters:
    ///   - answer: the vehicle in the response.
    ///   - sent: the vehicle in the request.
    ///   - mask: what the request changes; nil when the log does not say.
    init(answer: JSONValue?, sent: JSONValue?, mask: FieldMask?, time: LogInstant) {
        /// What the answer has, else what was sent.
        func value(_ keys: String...) -> JSONValue? {
            for source in [answer, sent] {
                for key in keys {
                    if let found = source?[key] { return found }
                }
            }
            return nil
        }
        func isMasked(_ field: String) -> Bool { mask.map { $0.contains(field) } ?? (sent != nil) }

        state = value("state", "vehiclestate")?.vehicleState
        supportedTripTypes = value("supportedtrips", "supportedtriptypes")?.array?.compactMap(\.tripType)
        maximumCapacity = value("maximumcapacity")?.count
        category = value("vehicletype").flatMap { $0.first("vehiclecategory", "category") }?.vehicleCategory
        currentTrips = answer?["currenttrips"]?.array?.compactMap(\.nonEmptyString)
        attributes = value("attributes")?.attributes
        backToBackEnabled = value("backtobackenabled")?.bool
        navigationStatus = value("navstatus", "navigationstatus")?.navigationStatus
        licensePlateLastCharacter = value("licenseplate")?["lastcharacter"]?.nonEmptyString
        isLocationNew = isMasked("lastlocation")
        location = answer?["lastlocation"]?.vehicleLocation ?? sent?["lastlocation"]?.vehicleLocation
        if isLocationNew, location?.serverTime == nil { location?.serverTime = time.date }
        remainingDistanceMeters = value("remainingdistancemeters")?.meters
        waypoints = WaypointReport.list(answer?["waypoints"])
        eta = answer?["etatofirstwaypoint"]?.date
        if eta == nil {
            let seconds = sent?["remainingtimeseconds"]?.durationSeconds
            eta = seconds.map { time.date.addingTimeInterval($0) } ?? sent?["etatofirstwaypoint"]?.date
        }
        route = value("currentroutesegment")?.path
        if route == nil, mask?.contains("currentroutesegment") == true { route = .points([]) }
        if isMasked("currentroutesegmenttraffic") {
            stretches = TrafficStretch.list(sent?["currentroutesegmenttraffic"]) ?? (mask == nil ? nil : [])
        }
    }
}

/// The fields that an update names: a text `vehicleState,lastLocation`, a list, or an object with `paths`.
struct FieldMask: Hashable, Sendable {
    private let fields: Set<String>

    init?(_ value: JSONValue?) {
        let names: [String]
        switch value {
        case .string(let text): names = text.split(separator: ",").map(String.init)
        case .array(let list): names = list.compactMap(\.string)
        case .object: names = value?["paths"]?.array?.compactMap(\.string) ?? []
        default: return nil
        }
        fields = Set(names.map { $0.lowercased().filter { $0 != "_" && $0 != " " } })
    }

    func contains(_ field: String) -> Bool { fields.contains(field) }
}
