import FoundationEssentials
import Geo
import Testing

@Suite("Google's encoded polyline")
struct EncodedPolylineTests {
    struct Vector: Sendable {
        var coordinates: [Coordinate]
        var five: String
        var six: String
    }

    /// Encoded lines that were computed with the Python package polyline.
    static let vectors: [Vector] = [
        Vector(coordinates: [], five: "", six: ""),
        Vector(
            coordinates: [Coordinate(38.5, -120.2), Coordinate(40.7, -120.95), Coordinate(43.252, -126.453)],
            five: "_p~iF~ps|U_ulLnnqC_mqNvxq`@", six: "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI"),
        Vector(
            coordinates: [Coordinate(-90, -180), Coordinate(90, 180)], five: "~bidP~fsia@_gsia@_ogtcA", six: "~fdtjD~niivI_oiivI__tsmT"),
        Vector(
            coordinates: [
                Coordinate(-20.1349801, 12.9818724), Coordinate(36.3945359, -75.3785424), Coordinate(19.6338312, 77.3684531),
                Coordinate(-36.6296939, 95.0959471), Coordinate(-75.0251122, -2.3915641), Coordinate(-26.5471118, -134.7679662),
            ],
            five: #"rr{yBuofnAo|_xIp{hzOlqheBukhc\~}kvI{kekBjbjiF|o_rQoj{fHpw}fX"#,
            six: "fc}ke@_fjwWwehyjBz|apgD`w~}^e~|ibHhu`ijBk__y`@r`nfhAlhd}xD_rzm{Abtrn{F"),
    ]

    @Test("known lines are encoded and decoded", arguments: vectors)
    func known(vector: Vector) throws {
        #expect(EncodedPolyline.encode(vector.coordinates) == vector.five)
        #expect(EncodedPolyline.encode(vector.coordinates, precision: .six) == vector.six)
        for (text, precision, step) in [(vector.five, EncodedPolyline.Precision.five, 1e-5), (vector.six, .six, 1e-6)] {
            let decoded = try EncodedPolyline.decode(text, precision: precision)
            #expect(decoded.count == vector.coordinates.count)
            for (found, wanted) in zip(decoded, vector.coordinates) {
                #expect(abs(found.latitude - wanted.latitude) <= 0.51 * step && abs(found.longitude - wanted.longitude) <= 0.51 * step)
            }
        }
    }

    @Test("decoded lines are encoded as the same text, and rounding errors do not add up")
    func roundTrips() throws {
        var random = SeededRandom(seed: 11)
        for _ in 0..<200 {
            let line = random.walk(from: random.coordinate(), count: random.int(in: 1...300))
            for (precision, half) in [(EncodedPolyline.Precision.five, 0.500001e-5), (.six, 0.500001e-6)] {
                let text = EncodedPolyline.encode(line, precision: precision)
                let decoded = try EncodedPolyline.decode(text, precision: precision)
                #expect(EncodedPolyline.encode(decoded, precision: precision) == text)
                #expect(
                    zip(line, decoded).allSatisfy { abs($0.latitude - $1.latitude) <= half && abs($0.longitude - $1.longitude) <= half })
            }
        }
    }

    @Test("halves are rounded away from zero")
    func halves() {
        #expect(EncodedPolyline.encode([Coordinate(5e-6, -5e-6), Coordinate(1.5e-5, -1.5e-5), Coordinate(2.5e-5, -2.5e-5)]) == "A@A@A@")
    }

    @Test("invalid coordinates are left out")
    func invalidCoordinates() {
        let text = EncodedPolyline.encode([Coordinate(.nan, 1), Coordinate(38.5, -120.2), Coordinate(91, 0), Coordinate(1e300, -.infinity)])
        #expect(text == "_p~iF~ps|U")
    }

    @Test("invalid text is refused with the position and the reason")
    func broken() {
        #expect(throws: PolylineError.tooManyPoints(announced: 3)) {
            try EncodedPolyline.decode("_p~iF~ps|U_ulLnnqC_mqNvxq`@", maximumCount: 2)
        }
        #expect(throws: Never.self) { try EncodedPolyline.decode("_p~iF~ps|U_ulLnnqC_mqNvxq`@", maximumCount: 3) }
        #expect(throws: PolylineError.truncated(offset: 26)) { try EncodedPolyline.decode("_p~iF~ps|U_ulLnnqC_mqNvxq`") }
        #expect(throws: PolylineError.truncated(offset: 5)) { try EncodedPolyline.decode("_p~iF") }
        #expect(throws: PolylineError.invalidCharacter(offset: 10)) { try EncodedPolyline.decode("_p~iF~ps|Ué") }
        #expect(throws: PolylineError.invalidCharacter(offset: 0)) { try EncodedPolyline.decode(" ") }
        #expect(throws: PolylineError.numberTooLong(offset: 0)) { try EncodedPolyline.decode("~~~~~~~~~~~~~~~") }
        #expect(throws: PolylineError.numberTooLong(offset: 1)) { try EncodedPolyline.decode("?~~~~~~^") }
        #expect(throws: PolylineError.coordinateOutOfRange(index: 0)) {
            try EncodedPolyline.decode("_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI", precision: .five)
        }
    }

    @Test("random and truncated text never traps, and what is read is valid")
    func hostile() throws {
        var random = SeededRandom(seed: 12)
        let good = EncodedPolyline.encode(random.walk(from: Coordinate(47, 9), count: 50))
        var read = 0
        for _ in 0..<5_000 {
            var bytes = Array(good.utf8.prefix(random.int(in: 0...good.utf8.count)))
            if !bytes.isEmpty { bytes[random.int(in: 0...bytes.count - 1)] = UInt8(random.int(in: 60...127)) }
            let noise = random.bytes(count: random.int(in: 0...40)).map { $0 % 68 + 60 }
            for text in [String(decoding: bytes, as: UTF8.self), String(decoding: noise, as: UTF8.self)] {
                for precision in [EncodedPolyline.Precision.five, .six] {
                    guard let line = try? EncodedPolyline.decode(text, precision: precision) else { continue }
                    #expect(line.allSatisfy(\.isValid) && line.count <= text.utf8.count / 2)
                    read += line.count
                }
            }
        }
        #expect(read > 1_000)
    }
}

@Suite("Encoded polylines from other software", .enabled(if: SharedData.exists(SharedData.polylineVectors)))
struct SharedPolylineVectorTests {
    struct File: Decodable {
        var vectors: [Vector]
    }

    struct Vector: Decodable {
        var coords: [[Double]]?
        var precision: Int
        var encoded: String
        var decoded: [[Double]]?
        var error: String?
    }

    @Test("every vector of precision 5 and 6 is decoded and encoded, or refused")
    func all() throws {
        let file = try JSONDecoder().decode(File.self, from: try SharedData.read(SharedData.polylineVectors))
        var checked = 0
        for vector in file.vectors where vector.precision >= 5 {
            let precision = vector.precision == 5 ? EncodedPolyline.Precision.five : .six
            checked += 1
            if vector.error != nil {
                #expect(throws: PolylineError.self) { try EncodedPolyline.decode(vector.encoded, precision: precision) }
                continue
            }
            let decoded = try EncodedPolyline.decode(vector.encoded, precision: precision)
            #expect(decoded.map { [$0.latitude, $0.longitude] } == vector.decoded)
            if let places = vector.coords {
                #expect(EncodedPolyline.encode(places.map { Coordinate($0[0], $0[1]) }, precision: precision) == vector.encoded)
            }
        }
        #expect(checked >= 20)
    }
}
