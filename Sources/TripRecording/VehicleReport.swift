import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

/// The data of a vehicle in a log entry: the server's answer, completed with data from the driver's request. An unset field may
/// mean that the vehicle's value did not change.
struct VehicleReport: Sendable {
    /// A field that an update can clear. The raw value is its name in JSON.
    enum Field: String, CaseIterable {
        case attributes, licensePlate, backToBackEnabled
    }

    let wire: WireVehicle
    /// The fields that the entry sets or clears. If such a field is unset in `wire`, the entry cleared it.
    let saidFields: Set<Field>
    /// Whether the driver sent the location with this call. If false, the answer repeats an older location.
    let isLocationNew: Bool
    let eta: Date?
    /// The ids of the vehicle's trips, if the answer has them.
    let currentTrips: [String]?
    /// Whether the entry has a list of the stops ahead. The list may be empty.
    let saysStops: Bool
    /// Whether the entry has data about the driver's route. If it has such data and the route is empty, this call cleared the route.
    let saysRoute: Bool
    /// The slow stretches of the driver's route; nil if this call has no traffic.
    let stretches: [TrafficStretch]?

    /// - Parameters:
    ///   - answer: the vehicle in the response.
    ///   - sent: the vehicle in the request.
    ///   - mask: the fields that the request changes; nil if the log does not name them.
    init(answer: JSONValue?, sent: JSONValue?, mask: FieldMask?, time: LogInstant) {
        func isMasked(_ field: String) -> Bool { mask.map { $0.contains(field) } ?? (sent != nil) }
        // Traffic is read only from the driver's request, and stops and trips only from the server's answer.
        let said = answer?.without("currentroutesegmenttraffic") ?? .object([:])
        let all = said.completed(by: sent?.without("waypoints", "currenttrips") ?? .object([:]))
        var wire = WireVehicle(log: all)
        isLocationNew = isMasked("lastlocation")
        if isLocationNew, wire.hasLastLocation, !wire.lastLocation.hasServerTime { wire.lastLocation.serverTime = time.timestamp }
        self.wire = wire
        currentTrips = answer?["currenttrips"]?.array == nil ? nil : wire.currentTrips
        saysStops = answer?["waypoints"]?.array != nil
        saidFields = Set(Field.allCases.filter { all.sets($0.rawValue, answer: answer, mask: mask) })
        saysRoute = !wire.currentRouteSegment.isEmpty || mask?.contains("currentroutesegment") == true
        if let answered = answer?["etatofirstwaypoint"]?.timestamp?.plausibleDate {
            eta = answered
        } else if wire.hasRemainingTimeSeconds {
            eta = time.date.addingTimeInterval(Double(wire.remainingTimeSeconds.value))
        } else {
            eta = wire.hasEtaToFirstWaypoint ? wire.etaToFirstWaypoint.plausibleDate : nil
        }
        let saysTraffic = isMasked("currentroutesegmenttraffic") && (wire.hasCurrentRouteSegmentTraffic || mask != nil)
        stretches = saysTraffic ? wire.currentRouteSegmentTraffic.trafficRendering.roadStretch.stretches : nil
    }
}

/// The names of the fields that an update changes. In a log, they are a string such as `vehicleState,lastLocation`, a list, or an object
/// with `paths`.
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

extension JSONValue {
    /// Whether an update sets a field, perhaps to an empty value. The receiver holds the values of the answer and the request. A list, a
    /// number, true or false sets the field, unless it is only in the request and there is a mask that does not name the field. A missing
    /// value or null sets the field only if the mask names it. A string or an object does not set it.
    /// - Parameters:
    ///   - answer: the object in the response; nil if the entry has none.
    ///   - mask: the fields that the request changes; nil if the log does not name them.
    func sets(_ field: String, answer: JSONValue?, mask: FieldMask?) -> Bool {
        let key = field.lowercased()
        let isMasked = mask?.contains(key) == true
        // The server ignores request values that the mask does not name.
        let told = isMasked || mask == nil ? self : answer
        switch told?[key] {
        case .array?, .number?, .bool?: return true
        case .null?, nil: return isMasked
        // A string or an object never clears a field. If it cannot be read, the field does not change.
        case .string?, .object?: return false
        }
    }

    /// Returns the object with only the members that a mask names; empty without a mask.
    func only(_ mask: FieldMask?) -> JSONValue {
        guard case .object(let members) = self, let mask else { return .object([:]) }
        return .object(members.filter { mask.contains($0.key) })
    }
}
