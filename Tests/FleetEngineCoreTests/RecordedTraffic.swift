import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf
import Testing

/// The rows of Fleet Engine's cloud log, with requests and the real server's answers.
struct RecordedTraffic {
    struct Row {
        let timestamp: String
        /// The last word of the type, such as `UpdateTripLog`.
        let kind: String
        let request: JSONValue
        let response: JSONValue
        /// The time at which the server began to handle the request. If the answer does not contain this time, `timestamp` is used instead:
        /// the time of the answer, which is later.
        let time: Date

        init(_ value: JSONValue) throws {
            let payload = try #require(value["jsonpayload"])
            timestamp = try #require(value["timestamp"]?.string)
            kind = try #require(payload["@type"]?.string?.split(separator: ".").last.map(String.init))
            (request, response) = (try #require(payload["request"]), try #require(payload["response"]))
            let moment =
                switch (kind, response["status"]?.string) {
                case ("UpdateVehicleLog", _): response["lastlocation"]?["servertime"]
                case (_, "TRIP_STATUS_ENROUTE_TO_DROPOFF"): response["pickuptime"]
                case (_, "TRIP_STATUS_COMPLETE"): response["dropofftime"]
                default: nil as JSONValue?
                }
            time = try #require((moment ?? value["timestamp"])?.timestamp).moment
        }

        /// The names of fields in the request's field mask.
        var mask: [String] { request["updatemask"]?.string?.split(separator: ",").map(String.init) ?? [] }

        /// The request's vehicle as a driver's app sends it.
        var vehicle: WireVehicle {
            get throws {
                var vehicle = WireVehicle(log: try #require(request["vehicle"]))
                guard vehicle.hasLastLocation, let location = request["vehicle"]?["lastlocation"] else { return vehicle }
                vehicle.lastLocation.locationSensor = .roadSnappedLocationProvider
                if let meters = location["altitudeaccuracy"]?.number { vehicle.lastLocation.altitudeAccuracy = .init(meters) }
                if let speed = location["speedaccuracy"]?.number { vehicle.lastLocation.speedAccuracy = .init(speed) }
                return vehicle
            }
        }
    }

    /// Rows in the order in which the server began to handle the requests.
    let rows: [Row]

    init(_ data: Data) throws {
        let log = try JSONDecoder().decode(JSONValue.self, from: data)
        rows = try #require(log["rawlogs"]?.array).map { try Row($0) }.sorted { $0.time < $1.time }
    }
}
