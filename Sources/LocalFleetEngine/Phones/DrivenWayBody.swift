import FoundationEssentials
import Geo
import PhoneIntake

/// The path that a car has driven, as GeoJSON (RFC 7946). Each gap-free part of the path is a line. `coordTimes` has the time at each
/// point of the line.
struct DrivenWayBody: Encodable {
    struct Feature: Encodable {
        struct Line: Encodable {
            let type = "LineString"
            let coordinates: [[Double]]
        }
        struct Properties: Encodable {
            let name: String
            let coordTimes: [String]
        }

        let type = "Feature"
        let properties: Properties
        let geometry: Line
    }

    let type = "FeatureCollection"
    let features: [Feature]

    init(_ way: DrivenWay, of vehicle: String) {
        features = way.parts.map { part in
            Feature(
                properties: .init(name: vehicle, coordTimes: part.map { $0.time.formatted(.iso8601) }),
                geometry: .init(coordinates: part.map { [$0.coordinate.longitude, $0.coordinate.latitude] }))
        }
    }
}
