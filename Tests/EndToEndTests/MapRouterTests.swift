import Foundation
import Testing

@testable import ProgramHarness

@Suite("The roads of a map file as the router of serve and drive", .timeLimit(.minutes(2)))
struct MapRouterTests {
    /// A map with three kilometres of road and one corner. It is a file with one tile in Berlin.
    private struct CornerMap {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-roads-\(UUID().uuidString)")
        var path: String { folder.appending(path: "14-8802-5373.mvt").path }
        // The road runs from west to east along the northern part of the tile, and then turns south.
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

        /// Returns the coordinates of a point in the tile.
        static func place(_ x: Int, _ y: Int) -> (latitude: Double, longitude: Double) {
            let (column, row) = ((8_802 + Double(x) / 4_096) / 16_384, (5_373 + Double(y) / 4_096) / 16_384)
            return (atan(sinh((0.5 - row) * 2 * .pi)) * 180 / .pi, (column - 0.5) * 360)
        }
    }

    private func words(_ place: (latitude: Double, longitude: Double)) -> String { "\(place.latitude),\(place.longitude)" }

    @Test("serve plans along the map's roads; outside the map the straight line is used, which is reported once")
    func serve() throws {
        let map = try CornerMap()
        defer { map.remove() }
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0", "--basemap", map.path])
        defer { server.stop() }
        let calls = try RESTCalls(server.line())
        let errors = LineWatch(server.errors)
        let ends = (CornerMap.place(600, 500), CornerMap.place(3_500, 3_400))
        // The distance is 5,800 units of about 0.363 m along the road, but 4,100 in a straight line.
        try calls.book("inside", from: ends.0, to: ends.1)
        let meters = try calls.metersLeft("inside") { $0 > 1_900 }
        #expect((2_050...2_180).contains(meters), "\(meters) m")
        #expect(!errors.all.contains { $0.contains("straight line") })
        for trip in ["outside", "again"] {
            try calls.book(trip, from: ends.0, to: (52.3, 13.5))
            let far = try calls.metersLeft(trip) { $0 > 10_000 }
            #expect(far > 10_000)
        }
        #expect(
            errors.line(with: "straight line: ") == "tripwatch: the route is a straight line: the map has no road near one of the places")
        server.stop()
        #expect(errors.all.count { $0.contains("straight line") } == 1)
    }

    @Test(
        "without a map, or with the map named town, serve plans along the town's roads",
        arguments: [[], ["--basemap", "town", "--router", "map"]])
    func town(arguments: [String]) throws {
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"] + arguments)
        defer { server.stop() }
        let port = try #require(server.line()?.split(separator: ":").last.flatMap { Int($0) })
        let calls = try RESTCalls("http://127.0.0.1:\(port)")
        // The straight line is 1,750 m long.
        try calls.book("inside", from: (-36, -20), to: (-36.01, -19.985))
        let meters = try calls.metersLeft("inside") { $0 > 1_800 }
        #expect((1_900...2_800).contains(meters), "\(meters) m")
    }

    @Test(
        "outside the invented town, drive without a map goes straight, and says that it has no map",
        arguments: [[], ["--basemap", "none"]])
    func elsewhere(arguments: [String]) throws {
        let server = try LocalServer(speed: 20)
        defer { server.stop() }
        try RESTCalls(server.desk).put("car-1", at: (52.5, 13.4))
        let car = try server.drive(["--dwell", "1", "--trips", "1"] + arguments)
        defer { car.stop() }
        let (lines, errors) = (LineWatch(car.output), LineWatch(car.errors))
        #expect(lines.line(with: "online") != nil, "\(lines.all)")
        _ = try server.book(from: "52.502,13.402", to: "52.504,13.404")
        #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
        #expect(errors.line(with: "straight line: no map with roads is set", within: 1) != nil, "\(errors.all)")
    }

    @Test("drive drives along the map's roads")
    func drive() throws {
        let map = try CornerMap()
        defer { map.remove() }
        let server = try LocalServer(speed: 10)
        defer { server.stop() }
        let calls = try RESTCalls(server.desk)
        let (start, end) = (CornerMap.place(600, 500), CornerMap.place(3_500, 3_400))
        try calls.put("car-1", at: start)
        let car = try server.drive("--router", "map", "--basemap", map.path, "--dwell", "1", "--trips", "1")
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: "online") != nil, "\(lines.all)")
        let name = try #require(try server.book(from: words(start), to: words(end)))
        // The route that the driver uploads goes round the corner, so the engine must report the length of this route.
        let trip = try #require(name.split(separator: "/").last.map { String($0) })
        let meters = try calls.metersLeft(trip) { $0 > 1_600 }
        #expect((1_600...2_180).contains(meters), "\(meters) m")
        #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
        car.waitForEnd()
        #expect(car.process.terminationStatus == 0)
    }

    @Test(
        "a route that is given by its ends is driven on the map's roads, even if these are also the trip's stops",
        arguments: [[], ["--router", "map"]])
    func givenWay(router: [String]) throws {
        let map = try CornerMap()
        defer { map.remove() }
        let server = try LocalServer(speed: 10)
        defer { server.stop() }
        let calls = try RESTCalls(server.desk)
        let (start, end) = (CornerMap.place(600, 500), CornerMap.place(3_500, 3_400))
        let way = "\(words(start));\(words(end))"
        let car = try server.drive(["--create", "--route", way, "--basemap", map.path, "--dwell", "1", "--trips", "1"] + router)
        defer { car.stop() }
        let (lines, errors) = (LineWatch(car.output), LineWatch(car.errors))
        #expect(lines.line(with: "online") != nil, "\(lines.all)")
        let name = try #require(try server.book(from: words(start), to: words(end)))
        // The straight line is 1,490 m long.
        let trip = try #require(name.split(separator: "/").last.map { String($0) })
        let meters = try calls.metersLeft(trip) { $0 > 1_600 }
        #expect((1_600...2_180).contains(meters), "\(meters) m")
        #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
        car.waitForEnd()
        #expect(!errors.all.contains { $0.contains("straight line") }, "\(errors.all)")
    }

    @Test("without roads a given route is driven straight, which is reported once, when it is first driven")
    func givenStraight() throws {
        let server = try LocalServer(speed: 60)
        defer { server.stop() }
        let car = try server.drive("--create", "--route", "-36.0000,-20.0000;-35.9700,-20.0000", "--dwell", "1", "--trips", "2")
        defer { car.stop() }
        let (lines, errors) = (LineWatch(car.output), LineWatch(car.errors))
        #expect(lines.line(with: "online") != nil, "\(lines.all)")
        #expect(!errors.all.contains { $0.contains("straight line") }, "\(errors.all)")
        for _ in 0..<2 { _ = try server.book(from: "-35.9900,-20.0000", to: "-35.9800,-20.0000") }
        #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
        car.waitForEnd()
        let told = errors.all.filter { $0.contains("straight line") }
        #expect(
            told == ["tripwatch: the route is a straight line: no map with roads is set; give one with --basemap FILE"], "\(errors.all)")
    }

    @Test("the option for the map's roads requires a map, and a file that contains one")
    func refused() throws {
        let bare = try Program().run(["serve", "--grpc-port", "0", "--http-port", "0", "--router", "map"])
        #expect(bare.status == 64)
        #expect(bare.errors.contains("--router map needs a map with roads: give its file with --basemap."))
        let missing = try Program().run(["serve", "--grpc-port", "0", "--http-port", "0", "--basemap", "/no/such/map.pmtiles"])
        #expect(missing.status == 1)
        #expect(missing.errors.contains("/no/such/map.pmtiles cannot be used as a map: there is no such file"))
    }
}
