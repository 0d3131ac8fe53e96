import FoundationEssentials
import Geo
import Testing

@Suite("S2 polylines")
struct S2PolylineTests {
    @Test("known lines encode to the same bytes", arguments: S2PolylineVector.level22)
    func encoding(vector: S2PolylineVector) {
        #expect(S2Polyline.encode(vector.vertices) == vector.encoded)
    }

    @Test("known lines are decoded to the centres of their cells", arguments: S2PolylineVector.level22 + S2PolylineVector.readOnly)
    func decoding(vector: S2PolylineVector) throws {
        let decoded = try S2Polyline.decode(vector.encoded)
        #expect(decoded.count == vector.snapped.count)
        for (found, wanted) in zip(decoded, vector.snapped) { #expect(found.distanceMeters(to: wanted) < 1e-3) }
    }

    @Test("five points from Fleet Engine itself are read")
    func checkVector() throws {
        let line = try S2Polyline.decode("AhYFIoF_XZ6GAPV1plu2AYQNAA==")
        #expect(line.count == 5)
        #expect(line.first?.distanceMeters(to: Coordinate(37.343083, -122.069707)) ?? 99 < 0.1)
        #expect(line.last?.distanceMeters(to: Coordinate(37.344790, -122.067909)) ?? 99 < 0.1)
        #expect(S2Polyline.encode(line) == "AhYFIoF_XZ6GAPV1plu2AYQNAA==")
    }

    @Test("the lossless form is read")
    func lossless() throws {
        let text = "AQMAAAChPn0oNfPiP4fWpfrhDsI_kiRXiyZj6T812wJY2DPpP8u3DYV8xNA_kktSRQzZ4b_-_______vv8XENEqGvVK-7b7BRoa9Uj4="
        let line = try S2Polyline.decode(text)
        for (found, wanted) in zip(line, [Coordinate(52.5, 13.4), Coordinate(-33.9, 18.4), Coordinate(0.000001, -179.999999)]) {
            #expect(found.distanceMeters(to: wanted) < 1e-6)
        }
        #expect(line.count == 3)
        #expect(throws: PolylineError.tooManyPoints(announced: 3)) { try S2Polyline.decode(String(text.dropLast(4))) }
    }

    @Test("an empty line is read, in this project's form and in others")
    func empty() throws {
        #expect(S2Polyline.encode([]) == "AhYAAA==")
        #expect(S2Polyline.encode([Coordinate(.nan, 0)]) == "AhYAAA==")
        for text in ["AhYAAA==", "Ah4AAA==", "Ah4A", "AQAAAAA="] { #expect(try S2Polyline.decode(text) == []) }
    }

    @Test("padding and the alphabet of plain Base64 are accepted")
    func alphabets() throws {
        for vector in S2PolylineVector.level22 {
            let expected = try S2Polyline.decode(vector.encoded)
            let plain = String(vector.encoded.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
            #expect(try S2Polyline.decode(plain) == expected)
            #expect(try S2Polyline.decode(String(vector.encoded.filter { $0 != "=" })) == expected)
        }
    }

    @Test("any line is decoded within a cell's size, and after that exactly")
    func roundTrips() throws {
        var random = SeededRandom(seed: 13)
        for round in 0..<200 {
            let start = random.coordinate(latitudes: -89...89)
            let jumps = (0..<20).map { _ in random.coordinate(latitudes: -90...90) }
            let line = round.isMultiple(of: 2) ? random.walk(from: start, count: random.int(in: 1...200)) : jumps
            let text = S2Polyline.encode(line)
            let decoded = try S2Polyline.decode(text)
            #expect(decoded.count == line.count)
            for (found, wanted) in zip(decoded, line) { #expect(found.distanceMeters(to: wanted) < 2) }
            #expect(S2Polyline.encode(decoded) == text)
        }
    }
}

@Suite("S2 polylines from untrusted sources")
struct HostileS2PolylineTests {
    private func encoded(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }

    private func firstVertex(_ count: UInt8) -> [UInt8] {
        [2, 22, count, 6 * count, 0, 0, 0, 0, 0, 0]
    }

    @Test("each kind of damage has its own error")
    func damage() {
        let huge: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
        let cases: [([UInt8], PolylineError)] = [
            ([], .truncated(offset: 0)),
            ([0], .unsupportedVersion(0)),
            ([3, 22, 0, 0], .unsupportedVersion(3)),
            ([2, 31, 1], .invalidLevel(31)),
            ([2, 22] + huge, .tooManyPoints(announced: .max)),
            ([2, 22] + huge.map { $0 | 0x80 }, .numberTooLong(offset: 2)),
            ([2, 22] + huge.dropLast() + [2], .numberTooLong(offset: 2)),
            ([2, 22, 100, 6, 0, 0, 0, 0, 0, 0], .tooManyPoints(announced: 100)),
            ([2, 22, 2, 0, 0, 0, 0, 0, 0, 0, 0], .invalidFaceRun(offset: 3)),
            ([2, 22, 2, 18, 0, 0, 0, 0, 0, 0, 0], .invalidFaceRun(offset: 3)),
            ([2, 22, 2, 12, 0, 0, 0], .truncated(offset: 7)),
            (firstVertex(2), .truncated(offset: 10)),
            (firstVertex(2) + [1, 0], .vertexOutsideFace(index: 1)),
            ([2, 22, 1, 6, 0, 0, 0, 0, 0, 0x80, 0], .vertexOutsideFace(index: 0)),
            (firstVertex(1), .truncated(offset: 10)),
            (firstVertex(1) + [1], .tooManyPoints(announced: 1)),
            (firstVertex(1) + [1, 1] + [UInt8](repeating: 0, count: 24), .offCenterIndexOutOfRange(1)),
            (firstVertex(1) + [1, 0] + [UInt8](repeating: 0, count: 24), .invalidPoint(index: 0)),
            (firstVertex(1) + [1, 0] + [UInt8](repeating: 0xff, count: 24), .invalidPoint(index: 0)),
            (firstVertex(1) + [0, 7], .trailingBytes(count: 1)),
            ([1, 255, 255, 255, 255], .tooManyPoints(announced: 4_294_967_295)),
            ([1, 0, 0], .truncated(offset: 3)),
        ]
        for (bytes, error) in cases {
            #expect(throws: error) { try S2Polyline.decode(encoded(bytes)) }
            #expect(!error.description.isEmpty)
        }
    }

    @Test("text that is not Base64 is refused")
    func notBase64() {
        for text in ["A", "AhYAA", "=", "==", "AhYA=", "Ah=YAAA=", "====", "A==="] {
            #expect(throws: PolylineError.self) { try S2Polyline.decode(text) }
        }
        #expect(throws: PolylineError.invalidCharacter(offset: 2)) { try S2Polyline.decode("Ah AAA==") }
        #expect(throws: PolylineError.invalidCharacter(offset: 0)) { try S2Polyline.decode("éAA") }
    }

    @Test("random, shortened and flipped bytes never trap, and what is read is valid")
    func noise() {
        var random = SeededRandom(seed: 14)
        let goods = S2PolylineVector.level22 + S2PolylineVector.readOnly
        var read = 0
        for _ in 0..<10_000 {
            guard let good = random.element(of: goods), let data = Data(base64Encoded: String(good.encoded.map(plain))) else {
                Issue.record("a vector is not base64")
                return
            }
            var bytes = Array(data)
            switch random.int(in: 0...2) {
            case 0: bytes = Array(bytes.prefix(random.int(in: 0...bytes.count)))
            case 1: bytes[random.int(in: 0...bytes.count - 1)] = UInt8(truncatingIfNeeded: random.next())
            default: bytes = [2, UInt8(random.int(in: 0...31))] + random.bytes(count: random.int(in: 0...60)).map { $0 & 0x3f }
            }
            guard let line = try? S2Polyline.decode(encoded(bytes)) else { continue }
            #expect(line.allSatisfy(\.isValid) && line.count <= bytes.count)
            #expect(Polyline(line).lengthMeters.isFinite)
            read += line.count
        }
        #expect(read > 1_000)
    }

    private func plain(_ digit: Character) -> Character {
        digit == "-" ? "+" : digit == "_" ? "/" : digit
    }
}
