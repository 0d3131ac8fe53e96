import Foundation
import Testing

@Suite("The roads of a map file as the router of serve and drive", .timeLimit(.minutes(2)))
struct MapRouterTests {
    /// Three kilometres of road with one corner, in a file of one tile in Berlin.
    private struct CornerMap {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-roads-\(UUID().uuidString)")
        var path: String { folder.appending(path: "14-8802-5373.mvt").path }
        // From the west along the north to the east, then to the south.
        static let corner = [(500, 500), (3_500, 500), (3_500, 3_500)]

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(Self.tile).write(to: URL(filePath: path))
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }

        private static var tile: [UInt8] {
            var numbers: [UInt64] = [0 + 9]
            var (x, y) = (0, 0)
            for (index, point) in corner.enumerated() {
                if index == 1 { numbers.append(UInt64(corner.count - 1) << 3 | 2) }
                for step in [point.0 - x, point.1 - y] { numbers.append(UInt64(bitPattern: Int64(step << 1 ^ step >> 63))) }
                (x, y) = point
            }
            let feature = field(2, [0, 0]) + [3 << 3, 2] + field(4, numbers.flatMap(varint))
            let value = field(1, Array("primary".utf8))
            let layer =
                [15 << 3, 2] + field(1, Array("transportation".utf8)) + field(2, feature) + field(3, Array("class".utf8)) + field(4, value)
                + [5 << 3] + varint(4_096)
            return field(3, layer)
        }

        private static func varint(_ value: UInt64) -> [UInt8] {
            value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80] + varint(value >> 7)
        }

        private static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
            varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
        }

        /// A place of the tile.
        static func place(_ x: Int, _ y: Int) -> (latitude: Double, longitude: Double) {
            let (column, row) = ((8_802 + Double(x) / 4_096) / 16_384, (5_373 + Double(y) / 4_096) / 16_384)
            return (atan(sinh((0.5 - row) * 2 * .pi)) * 180 / .pi, (column - 0.5) * 360)
        }
    }

    /// One call of the REST face.
    private func ask(_ port: Int, _ method: String, _ path: String, _ body: String = "") throws -> String {
        let connection = try TCPConnection(port: port)
        connection.send(
            "\(method) /v1/providers/demo/\(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
        return connection.read()
    }

    private func json(_ place: (latitude: Double, longitude: Double)) -> String {
        #"{"latitude":\#(place.latitude),"longitude":\#(place.longitude)}"#
    }

    private func words(_ place: (latitude: Double, longitude: Double)) -> String { "\(place.latitude),\(place.longitude)" }

    /// Makes a car that stands somewhere.
    private func put(_ car: String, at place: (Double, Double), _ port: Int) throws {
        let kind = #""maximumCapacity":4,"supportedTripTypes":["EXCLUSIVE"],"vehicleType":{"category":"AUTO"}"#
        _ = try ask(port, "POST", "vehicles?vehicleId=\(car)", #"{"vehicleState":"ONLINE",\#(kind)}"#)
        _ = try ask(port, "PUT", "vehicles/\(car)?updateMask=lastLocation", #"{"lastLocation":{"location":\#(json(place))}}"#)
    }

    /// Books a trip for a car that stands at its pickup and drives off.
    private func book(_ trip: String, from start: (Double, Double), to end: (Double, Double), _ port: Int) throws {
        try put(trip, at: start, port)
        let points = #""pickupPoint":{"point":\#(json(start))},"dropoffPoint":{"point":\#(json(end))}"#
        _ = try ask(port, "POST", "trips?tripId=\(trip)", #"{"tripType":"EXCLUSIVE","vehicleId":"\#(trip)",\#(points)}"#)
        _ = try ask(port, "PUT", "trips/\(trip)?updateMask=tripStatus", #"{"tripStatus":"ENROUTE_TO_DROPOFF"}"#)
    }

    /// Asks for a trip until its metres left are right: ways are planned after the answer.
    private func metersLeft(_ port: Int, _ trip: String, until isRight: (Int) -> Bool) throws -> Int {
        let deadline = Date(timeIntervalSinceNow: 60)
        var meters = -1
        while Date() < deadline {
            let answer = try ask(port, "GET", "trips/\(trip)")
            meters = answer.firstMatch(of: #/"remainingDistanceMeters":\s*"?(\d+)/#).flatMap { Int($0.1) } ?? -1
            if isRight(meters) { break }
        }
        return meters
    }

    @Test("serve plans along the map's roads; outside the map the straight line stands in and is told once")
    func serve() throws {
        let map = try CornerMap()
        defer { map.remove() }
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0", "--basemap", map.path])
        defer { server.stop() }
        let port = try #require(server.line()?.split(separator: ":").last.flatMap { Int($0) })
        let errors = LineWatch(server.errors)
        let ends = (CornerMap.place(600, 500), CornerMap.place(3_500, 3_400))
        // 5,800 units of about 0.363 m along the road; 4,100 as the crow flies.
        try book("inside", from: ends.0, to: ends.1, port)
        let meters = try metersLeft(port, "inside") { $0 > 1_900 }
        #expect((2_050...2_180).contains(meters), "\(meters) m")
        #expect(!errors.all.contains { $0.contains("straight line") })
        for trip in ["outside", "again"] {
            try book(trip, from: ends.0, to: (52.3, 13.5), port)
            let far = try metersLeft(port, trip) { $0 > 10_000 }
            #expect(far > 10_000)
        }
        #expect(errors.line(with: "straight line: ") == "tripwatch: straight line: a place is outside the map")
        server.stop()
        #expect(errors.all.count { $0.contains("straight line") } == 1)
    }

    @Test(
        "without a map, and where the town is named, serve plans along the town's roads",
        arguments: [[], ["--basemap", "town", "--router", "map"]])
    func town(arguments: [String]) throws {
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"] + arguments)
        defer { server.stop() }
        let port = try #require(server.line()?.split(separator: ":").last.flatMap { Int($0) })
        // 1,750 m as the crow flies.
        try book("inside", from: (-36, -20), to: (-36.01, -19.985), port)
        let meters = try metersLeft(port, "inside") { $0 > 1_800 }
        #expect((1_900...2_800).contains(meters), "\(meters) m")
    }

    @Test("drive drives along the map's roads")
    func drive() throws {
        let map = try CornerMap()
        defer { map.remove() }
        let server = try LocalServer(speed: 10)
        defer { server.stop() }
        let port = try #require(server.desk.split(separator: ":").last.flatMap { Int($0) })
        let (start, end) = (CornerMap.place(600, 500), CornerMap.place(3_500, 3_400))
        try put("car-1", at: start, port)
        let car = try server.drive("--router", "map", "--basemap", map.path, "--dwell", "1", "--trips", "1")
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: "online") != nil, "\(lines.all)")
        let name = try #require(try server.book(from: words(start), to: words(end)))
        // The way that the driver uploads goes round the corner, so the engine tells its length.
        let trip = try #require(name.split(separator: "/").last.map { String($0) })
        let meters = try metersLeft(port, trip) { $0 > 1_600 }
        #expect((1_600...2_180).contains(meters), "\(meters) m")
        #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
        car.process.waitUntilExit()
        #expect(car.process.terminationStatus == 0)
    }

    @Test("the map's roads need a map, and a file that is one")
    func refused() throws {
        let bare = try Program().run(["serve", "--grpc-port", "0", "--http-port", "0", "--router", "map"])
        #expect(bare.status == 64)
        #expect(bare.errors.contains("--router map needs a map: name its file with --basemap."))
        let missing = try Program().run(["serve", "--grpc-port", "0", "--http-port", "0", "--basemap", "/no/such/map.pmtiles"])
        #expect(missing.status == 1)
        #expect(missing.errors.contains("/no/such/map.pmtiles cannot be used as a map: there is no such file"))
    }
}
