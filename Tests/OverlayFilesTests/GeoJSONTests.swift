import Geo
import OverlayFiles
import TerminalCanvas
import TerminalMap
import Testing

@Suite("GeoJSON over a map")
struct GeoJSONTests {
    private func read(_ text: String) throws -> OverlayFile { try OverlayFile(Array(text.utf8)) }

    private func feature(_ geometry: String, _ properties: String = "{}") -> String {
        #"{"type":"Feature","geometry":\#(geometry),"properties":\#(properties)}"#
    }

    @Test("Every kind of geometry, alone, in features and in collections")
    func geometries() throws {
        let geometries = [
            #"{"type":"Point","coordinates":[8.5,47.3]}"#, #"{"type":"MultiPoint","coordinates":[[8.5,47.3],[8.6,47.4,500]]}"#,
            #"{"type":"LineString","coordinates":[[8.5,47.3],[8.6,47.4]]}"#,
            #"{"type":"MultiLineString","coordinates":[[[8.5,47.3],[8.6,47.4]],[[1,1],[2,2]]]}"#,
            #"{"type":"Polygon","coordinates":[[[8,47],[9,47],[9,48],[8,47]],[[8.2,47.1],[8.4,47.1],[8.4,47.2],[8.2,47.1]]]}"#,
            #"{"type":"MultiPolygon","coordinates":[[[[8,47],[9,47],[9,48],[8,47]]],[[[1,1],[2,1],[2,2],[1,1]]]]}"#,
        ]
        let counts = [(0, 1), (0, 2), (1, 0), (2, 0), (1, 0), (2, 0)]
        for (geometry, count) in zip(geometries, counts) {
            for text in [geometry, feature(geometry), #"{"type":"FeatureCollection","features":[\#(feature(geometry))]}"#] {
                let file = try read(text)
                #expect(file.shapes.count == count.0 && file.places.count == count.1 && file.leftOut == 0, "\(text)")
            }
        }
        let all = try read(#"{"type":"GeometryCollection","geometries":[\#(geometries.joined(separator: ","))]}"#)
        #expect(all.shapes.count == 6 && all.places.count == 3)
        let first = try read(geometries[0]).places.first
        #expect(first?.coordinate == Coordinate(latitude: 47.3, longitude: 8.5))
    }

    @Test("Names and colours of simplestyle; text loses what could harm a terminal")
    func style() throws {
        let area = #"{"type":"Polygon","coordinates":[[[8,47],[9,47],[9,48]]]}"#
        let look = ##"{"name":"A\u001b[31m\u202eb","stroke":"#f00","stroke-width":"3","fill":"00ff80","fill-opacity":0.25}"##
        let shape = try #require(try read(feature(area, look)).shapes.first)
        #expect(shape.stroke == .rgb(255, 0, 0) && shape.strokeWidth == 3 && shape.isArea)
        #expect(shape.fill == GroundOverlay.Fill(color: .rgb(0, 255, 128), opacity: 0.25))
        #expect(!shape.name.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202e } && shape.name.hasPrefix("A"))
        let place = try read(feature(#"{"type":"Point","coordinates":[1,2]}"#, ##"{"title":"T","marker-color":"#abcdef"}"##)).places.first
        #expect(place?.name == "T" && place?.color == .rgb(0xab, 0xcd, 0xef))
        let odd = try read(feature(area, ##"{"name":7,"stroke":"red","fill":"#12345","stroke-width":null,"stroke-opacity":0}"##)).shapes
            .first
        #expect(odd?.stroke == nil && odd?.fill?.color == nil && odd?.strokeWidth == 0 && odd?.name == "")
    }

    @Test(
        "An area without colours has only a faint tint; with a colour, or where the file says so, more of the fill is seen",
        arguments: [
            ("{}", 0.1), (#"{"fill-opacity":0.5}"#, 0.5), (##"{"stroke":"#f00"}"##, 0.6), (##"{"fill":"#f00"}"##, 0.6),
        ])
    func opacity(properties: String, opacity: Double) throws {
        let area = #"{"type":"Polygon","coordinates":[[[8,47],[9,47],[9,48]]]}"#
        #expect(try read(feature(area, properties)).shapes.first?.fill?.opacity == opacity)
        #expect(try read(area).shapes.first?.fill?.opacity == 0.1)
    }

    @Test(
        "A broken geometry is left out and counted, and the rest is read",
        arguments: [
            #"{"type":"Point","coordinates":[]}"#, #"{"type":"Point","coordinates":["8","47"]}"#, #"{"type":"Point","coordinates":[8,97]}"#,
            #"{"type":"LineString","coordinates":[[8,47]]}"#, #"{"type":"LineString","coordinates":[[8,47],[8,null]]}"#,
            #"{"type":"Polygon","coordinates":[]}"#, #"{"type":"Polygon","coordinates":[[[8,47],[9,47]]]}"#,
            #"{"type":"Circle","coordinates":[8,47]}"#,
            #"{"coordinates":[8,47]}"#, "7", #"{"type":"LineString","coordinates":[[8,47],[1e300,47]]}"#,
        ])
    func broken(geometry: String) throws {
        let good = feature(#"{"type":"Point","coordinates":[8.5,47.3]}"#)
        let file = try read(#"{"type":"FeatureCollection","features":[\#(feature(geometry)),null,\#(good),\#(feature("null"))]}"#)
        #expect(file.places.count == 1 && file.shapes.isEmpty && file.leftOut == 2)
    }

    @Test(
        "A file that is broken as a whole is one error",
        arguments: [
            ("", OverlayFileError.empty), (" \n", .empty), ("<gpx/", .unknownKind), ("hello", .unknownKind),
            ("{", .notGeoJSON("it is not JSON")), ("{}", .notGeoJSON("it has no type")), (#"{"type":7}"#, .notGeoJSON("it has no type")),
            (#"{"type":"Topology"}"#, .notGeoJSON("it has the type 'Topology'")),
        ])
    func whole(text: String, error: OverlayFileError) { #expect(throws: error) { try read(text) } }

    @Test("A truncated file is an error or has less content, but causes no crash")
    func hostile() throws {
        let text = feature(#"{"type":"MultiPolygon","coordinates":[[[[8,47],[9,47],[9,48],[8,47]]]]}"#, #"{"name":"x"}"#)
        for count in 0..<text.utf8.count { _ = try? OverlayFile(Array(text.utf8.prefix(count))) }
        let brackets = #"{"type":"Polygon","coordinates":"# + String(repeating: "[", count: 100_000)
        #expect(throws: OverlayFileError.self) { try read(brackets) }
        #expect(throws: OverlayFileError.tooLarge) { try OverlayFile(Array(repeating: 0x20, count: OverlayFile.maximumBytes + 1)) }
    }

    /// Returns a point inside this many nested collections.
    private func nested(_ count: Int) -> String {
        String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: count) + #"{"type":"Point","coordinates":[1,1]}"#
            + String(repeating: "]}", count: count)
    }

    @Test("Eight nested collections are read, alone and in features; deeper ones are left out")
    func collections() throws {
        for text in [nested(8), feature(nested(8)), #"{"type":"FeatureCollection","features":[\#(feature(nested(8)))]}"#] {
            let file = try read(text)
            #expect(file.places.count == 1 && file.leftOut == 0, "\(text)")
        }
        for text in [nested(9), feature(nested(9)), nested(60)] {
            let file = try read(text)
            #expect(file.places.isEmpty && file.leftOut == 1, "\(text)")
        }
        #expect(throws: OverlayFileError.self) { try read(nested(200)) }
    }

    @Test(
        "A file with too many positions, features or other values is refused, and the error names the limit",
        arguments: [
            (#"{"type":"MultiPoint","coordinates":["#, "[1,1],", 3), (#"{"type":"FeatureCollection","features":["#, "{},", 2),
            (#"{"type":"Point","coordinates":[1,1],"x":["#, "1,", 1),
        ])
    func values(start: String, value: String, count: Int) {
        let text = start + String(repeating: value, count: OverlayFile.maximumValueCount / count + 1) + "1]}"
        #expect(throws: OverlayFileError.tooManyValues) { try read(text) }
        #expect("\(OverlayFileError.tooManyValues)" == "has more than 2000000 JSON values; a position counts as three")
    }

    @Test("A longitude beyond 180 is the one on the other side")
    func antimeridian() throws {
        let file = try read(#"{"type":"LineString","coordinates":[[179,0],[181,0]]}"#)
        #expect(file.shapes.first?.paths.first?.last?.longitude == -179)
    }
}
