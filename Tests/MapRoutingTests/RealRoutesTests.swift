import FoundationEssentials
import Geo
import MapRouting
import Routing
import Testing
import TileSources

/// Compares routes on real maps with those that other routers found on the same data.
@Suite("Routes on real maps", .enabled(if: RealRoutes.arePresent))
struct RealRoutesTests {
    @Test("every route of the test data is found, within 5 % of its length and 25 % of its time", arguments: RealRoutes.all)
    func oracle(route: RealRoute) async throws {
        let router = MapRouter(source: try BaseMapFile(path: RealRoutes.folder + "/map/tiles/" + route.map))
        let way = try await router.way(
            RouteRequest(origin: route.stops[0], destinations: route.stops.dropFirst().map { NavigationWaypoint(coordinate: $0) }))
        let meters = way.legs.reduce(0) { $0 + $1.lengthMeters }
        let seconds = way.legs.reduce(0) { $0 + $1.durationSeconds }
        #expect(abs(meters / route.meters - 1) < 0.05, "\(meters) m for \(route.meters) m")
        #expect(abs(seconds / route.seconds - 1) < 0.25, "\(seconds) s for \(route.seconds) s")
    }

    @Test("routes across tiles of every real file are found: Paris, Dortmund, San Francisco, Monaco and Berlin")
    func everySchema() async throws {
        for ends in RealRoutes.ends {
            let (file, from, to) = (ends.file, ends.from, ends.to)
            let router = MapRouter(source: try BaseMapFile(path: RealRoutes.folder + "/map/tiles/" + file))
            let way = try await router.way(RouteRequest(origin: from, destinations: [NavigationWaypoint(coordinate: to)]))
            let straight = from.distanceMeters(to: to)
            let meters = way.legs.reduce(0) { $0 + $1.lengthMeters }
            #expect(meters > straight * 0.95 && meters < straight * 2.5, "\(file): \(meters) m for \(straight) m")
        }
    }
}

/// A route that another router found, from the test data.
struct RealRoute: Sendable, CustomTestStringConvertible {
    var name: String
    var map: String
    var stops: [Coordinate]
    var meters: Double
    var seconds: Double

    var testDescription: String { name }
}

enum RealRoutes {
    static let folder: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        parts.removeLast(3)
        return (parts + ["..", "shared", "data"]).joined(separator: "/")
    }()

    static var arePresent: Bool { FileManager.default.fileExists(atPath: folder + "/map/tiles/monaco.mbtiles") }

    /// Two places in the area of a map file.
    struct Ends: Sendable, CustomTestStringConvertible {
        var file: String
        var from: Coordinate
        var to: Coordinate

        var testDescription: String { file }
    }

    /// Pairs of places in maps of every schema, far enough apart that the routes cross tiles.
    static let ends = [
        Ends(
            file: "omt_paris_ruhr.pmtiles", from: Coordinate(latitude: 48.8869, longitude: 2.3047),
            to: Coordinate(latitude: 48.8737, longitude: 2.3897)),
        Ends(
            file: "sf_downtown.pmtiles", from: Coordinate(latitude: 37.7767, longitude: -122.3946),
            to: Coordinate(latitude: 37.7906, longitude: -122.4056)),
        Ends(
            file: "monaco.pmtiles", from: Coordinate(latitude: 43.7268, longitude: 7.4181),
            to: Coordinate(latitude: 43.7468, longitude: 7.4335)),
        Ends(
            file: "shortbread_berlin_neukoelln_14-8803-5376.pbf", from: Coordinate(latitude: 52.4833, longitude: 13.4300),
            to: Coordinate(latitude: 52.4760, longitude: 13.4440)),
    ]

    static let all: [RealRoute] =
        ["sf_caltrain_to_chinatown", "sf_moscone_to_embarcadero", "mc_fontvieille_to_larvotto"].compactMap(own) + osrm

    private static func read<File: Decodable>(_ path: String) -> File? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return (try? Data(contentsOf: URL(filePath: folder + path))).flatMap { try? decoder.decode(File.self, from: $0) }
    }

    private static func own(_ name: String) -> RealRoute? {
        struct File: Decodable {
            struct Stop: Decodable {
                var lat: Double
                var lon: Double
            }
            var stops: [Stop]
            var distanceM: Double
            var durationS: Double
        }
        let file: File? = read("/map/routes/\(name).json")
        return file.map {
            RealRoute(
                name: name, map: name.hasPrefix("sf") ? "sf_downtown.mbtiles" : "monaco.mbtiles",
                stops: $0.stops.map { Coordinate(latitude: $0.lat, longitude: $0.lon) }, meters: $0.distanceM, seconds: $0.durationS)
        }
    }

    private static let osrm: [RealRoute] = {
        struct File: Decodable {
            struct Route: Decodable {
                var distance: Double
                var duration: Double
            }
            struct Waypoint: Decodable {
                var location: [Double]
            }
            var routes: [Route]
            var waypoints: [Waypoint]
        }
        let file: File? = read("/navigation/routes/own-osrm-monaco.json")
        return (file?.routes.prefix(1) ?? []).map { route in
            RealRoute(
                name: "own-osrm-monaco", map: "monaco.mbtiles",
                stops: (file?.waypoints ?? []).map { Coordinate(latitude: $0.location[1], longitude: $0.location[0]) },
                meters: route.distance, seconds: route.duration)
        }
    }()
}
