import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

/// Uploads from a real driver's device, which sends a report every few seconds, and the remaining route about once a minute.
struct RecordedUploads {
    static let path = "fleet-logs/bay-area-trip1.json"

    struct Upload {
        let location: VehicleLocation
        /// The route; nil for an upload without a route.
        let route: [Coordinate]?
    }

    /// The uploads in the order of the server's times.
    let uploads: [Upload]
    var start: Date { uploads.first?.location.serverTime ?? Date(timeIntervalSince1970: 0) }
    var end: Date { uploads.last?.location.serverTime ?? start }

    init() throws {
        let log = try JSONDecoder().decode(JSONValue.self, from: try SharedData.read(Self.path))
        uploads = (log["rawlogs"]?.array ?? []).compactMap { $0["jsonpayload"] }
            .filter { $0["@type"]?.string?.hasSuffix("UpdateVehicleLog") == true }.compactMap(Self.upload)
            .sorted { ($0.location.serverTime ?? .distantPast) < ($1.location.serverTime ?? .distantPast) }
    }

    private static func upload(_ payload: JSONValue) -> Upload? {
        guard let vehicle = payload["request"]?["vehicle"], let served = payload["response"]?["lastlocation"]?["servertime"]?.timestamp
        else { return nil }
        var sent = WireVehicle(log: vehicle)
        sent.lastLocation.serverTime = served
        guard let location = VehicleLocation(sent.lastLocation) else { return nil }
        let route = sent.currentRouteSegment
        var paths = PathReader()
        return Upload(location: location, route: route.isEmpty ? nil : paths.line(encoded: route, list: []).coordinates)
    }
}
