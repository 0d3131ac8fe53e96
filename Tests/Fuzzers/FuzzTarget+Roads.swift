import Geo
import Routing
import WebRouting

extension FuzzTarget {
    /// The readers of encoded lines and of routers' answers.
    static let roads = [s2Polyline, polyline, router("osrm", through: monaco), router("valhalla", through: vaduz)]

    /// The places in the requests that belong to the recorded answers.
    private static let monaco = [(43.7345, 7.4215), (43.7352, 7.4230), (43.7360, 7.4240)].map(place)
    private static let vaduz = [(47.1410, 9.5215), (47.1440, 9.5205)].map(place)

    private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    private static let s2Polyline = FuzzTarget(
        "s2-polyline",
        seeds: [
            "AhYFIoF_XZ6GAPV1plu2AYQNAA==", "AhYAAA==",
            "AQMAAAChPn0oNfPiP4fWpfrhDsI_kiRXiyZj6T812wJY2DPpP8u3DYV8xNA_kktSRQzZ4b_-_______vv8XENEqGvVK-7b7BRoa9Uj4=",
        ], words: ["A", "_", "-", "=", "AhY", "____", "AQ"]
    ) { input, _ in
        // The input is used twice: as raw bytes, which are encoded in Base64 here, and as Base64 text.
        let line = try? S2Polyline.decode(URLSafeBase64.encode(input))
        for coordinates in [line, try? S2Polyline.decode(String(decoding: input, as: UTF8.self))] {
            guard let coordinates else { continue }
            _ = S2Polyline.encode(coordinates)
            _ = Polyline(coordinates).boundingBox
        }
    }

    private static let polyline = FuzzTarget(
        "polyline", seeds: ["_p~iF~ps|U_ulLnnqC_mqNvxq`@", "??", "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI"],
        words: ["_", "~", "?", "@", "`", "|", "\\"]
    ) { input, _ in
        let text = String(decoding: input, as: UTF8.self)
        for precision in [EncodedPolyline.Precision.five, .six] {
            guard let coordinates = try? EncodedPolyline.decode(text, precision: precision) else { continue }
            _ = EncodedPolyline.encode(coordinates, precision: precision)
            _ = Polyline(coordinates).boundingBox
        }
    }

    /// The reader of a router's answer to a request for the route through these places.
    private static func router(_ name: String, through places: [Coordinate]) -> FuzzTarget {
        FuzzTarget(
            name,
            seeds: [
                #"{"code":"Ok","routes":[{"geometry":"_izlhA~rlgdF","legs":[{"distance":1.5,"duration":2,"annotation":{"duration":[1,2],"#
                    + #""distance":[1,null],"maxspeed":[{"speed":50,"unit":"km/h"},{"none":true}]},"steps":[{"name":"Way","geometry":"??","#
                    + #""distance":1,"maneuver":{"type":"turn","modifier":"left"}}]}]}],"waypoints":[{"location":[7.42,43.73]}]}"#,
                #"{"code":"NoRoute","message":"Impossible route between points"}"#, #"{"error":"No path","error_code":442}"#,
            ], endings: ["osrm-monaco.json", "osrm-far.json", "valhalla-vaduz.json"].filter { $0.hasPrefix(name) },
            words: json + ["\"legs\"", "\"duration\"", "\"annotation\"", "\"geometry\"", "\"steps\"", "_izlhA~rlgdF"]
        ) { input, _ in
            _ = RouteAnswer.refusal(status: 400, input)
            guard let origin = places.first else { return }
            let request = RouteRequest(origin: origin, destinations: places.dropFirst().map { NavigationWaypoint(coordinate: $0) })
            _ = try RouteAnswer.route(input, for: request, planner: name)
        }
    }
}
