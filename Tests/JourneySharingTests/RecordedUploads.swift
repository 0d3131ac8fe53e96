import FleetEngine
import FoundationEssentials
import Geo

/// What one real driver's device uploaded: a report every few seconds, and the route anew about once a minute, cut off where the vehicle is.
struct RecordedUploads {
    static let path = "fleet-logs/bay-area-trip1.json"

    struct Upload {
        let location: VehicleLocation
        /// Nil where the route was not part of the upload.
        let route: [Coordinate]?
    }

    /// By the server's time.
    let uploads: [Upload]
    var start: Date { uploads.first?.location.serverTime ?? Date(timeIntervalSince1970: 0) }
    var end: Date { uploads.last?.location.serverTime ?? start }

    init() throws {
        let log = try JSONDecoder().decode(Log.self, from: try SharedData.read(Self.path))
        uploads = try log.rawLogs.map(\.jsonpayload).filter { $0.type.hasSuffix("UpdateVehicleLog") }.compactMap(Self.upload)
            .sorted { ($0.location.serverTime ?? .distantPast) < ($1.location.serverTime ?? .distantPast) }
    }

    private static func upload(_ payload: Payload) throws -> Upload? {
        guard let sent = payload.request.vehicle, let place = sent.lastlocation?.location ?? sent.lastlocation?.rawlocation,
            let served = payload.response.lastlocation?.servertime
        else { return nil }
        let location = VehicleLocation(
            coordinate: Coordinate(latitude: place.latitude, longitude: place.longitude), speedMetersPerSecond: sent.lastlocation?.speed,
            accuracyMeters: sent.lastlocation?.latlngaccuracy, rawLocationTime: try sent.lastlocation?.rawlocationtime.map(time),
            serverTime: try time(served))
        return Upload(location: location, route: try sent.currentroutesegment.map(S2Polyline.decode))
    }

    private static func time(_ text: String) throws -> Date {
        try (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)) ?? Date.ISO8601FormatStyle().parse(text)
    }
}

extension RecordedUploads {
    /// The rows of the log, with the lower-case keys of its export.
    private struct Log: Decodable { var rawLogs: [Row] }

    private struct Row: Decodable { var jsonpayload: Payload }

    private struct Payload: Decodable {
        var type: String
        var request: Request
        var response: Vehicle

        enum CodingKeys: String, CodingKey {
            case type = "@type"
            case request, response
        }
    }

    private struct Request: Decodable { var vehicle: Vehicle? }

    private struct Vehicle: Decodable {
        var lastlocation: Location?
        var currentroutesegment: String?
    }

    private struct Location: Decodable {
        var location: Place?
        var rawlocation: Place?
        var rawlocationtime: String?
        var speed: Double?
        var latlngaccuracy: Double?
        var servertime: String?
    }

    private struct Place: Decodable {
        var latitude: Double
        var longitude: Double
    }
}
