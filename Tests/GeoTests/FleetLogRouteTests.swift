import Foundation
import Geo
import Testing

@Suite("Routes in a Fleet Engine log", .enabled(if: SharedData.exists(SharedData.fleetLog)))
struct FleetLogRouteTests {
    /// Searches the JSON at any depth for members with the name `key`. Returns those of their values that are strings.
    private func values(ofKey key: String, in json: Any) -> [String] {
        if let list = json as? [Any] { return list.flatMap { values(ofKey: key, in: $0) } }
        guard let object = json as? [String: Any] else { return [] }
        return object.flatMap { name, value in
            if name == key, let text = value as? String { return [text] }
            return values(ofKey: key, in: value)
        }
    }

    @Test("every route is decoded to a line in the Bay Area and encoded to the same bytes")
    func routes() throws {
        let json = try JSONSerialization.jsonObject(with: try SharedData.read(SharedData.fleetLog))
        let routes = Set(values(ofKey: "currentroutesegment", in: json) + values(ofKey: "encodedpathtowaypoint", in: json))
        #expect(routes.count == 45)
        for route in routes {
            let line = try S2Polyline.decode(route)
            #expect(S2Polyline.encode(line) == route)
            #expect(line.count >= 2 && line.allSatisfy { $0.distanceMeters(to: Coordinate(37.37, -122.04)) < 10_000 })
        }
    }
}
