import BoundedJSON
import FoundationEssentials
import Geo
import TerminalCanvas
import TerminalMap

/// Reads GeoJSON (RFC 7946) with the colours of simplestyle-spec 1.1.
enum GeoJSONReader {
    static func read(_ bytes: [UInt8]) throws(OverlayFileError) -> OverlayFile {
        let document: GeoJSONObject
        do {
            document = try JSONDecoder()
                .decodeBounded(GeoJSONObject.self, from: Data(bytes), maximumValues: OverlayFile.maximumValueCount)
        } catch is TooManyJSONValues {
            throw .tooManyValues
        } catch DecodingError.dataCorrupted {
            throw .notGeoJSON("it is not JSON")
        } catch {
            throw .notGeoJSON("it has no type")
        }
        var file = OverlayFile()
        switch document.content {
        case .features(let features): for feature in features { file.add(feature) }
        case .feature(let feature): file.add(feature)
        case .geometry(let geometry): file.add(geometry, SimpleStyle())
        case .unknown(let type): throw .notGeoJSON("it has the type '\(sanitised(type, maximumLength: 40))'")
        }
        return file
    }
}

/// The object at the top level of a document.
private struct GeoJSONObject: Decodable {
    enum Content {
        case features([GeoJSONFeature?])
        case feature(GeoJSONFeature?)
        case geometry(GeoJSONGeometry?)
        case unknown(String)
    }

    let content: Content

    private enum Key: String, CodingKey { case type, features }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let type = try members.decode(String.self, forKey: .type)
        switch type {
        case "FeatureCollection":
            content = .features(((try? members.decode([Lenient<GeoJSONFeature>].self, forKey: .features)) ?? []).map(\.value))
        case "Feature": content = .feature(try? GeoJSONFeature(from: decoder))
        case _ where GeoJSONGeometry.types.contains(type): content = .geometry(try? GeoJSONGeometry(from: decoder))
        default: content = .unknown(type)
        }
    }
}

/// A value that becomes nil if it cannot be read, so that the rest of the document can still be read.
private struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

private struct GeoJSONFeature: Decodable {
    /// The geometry; nil if it cannot be read, `.nothing` if the feature has no geometry.
    let geometry: GeoJSONGeometry?
    let style: SimpleStyle

    private enum Key: String, CodingKey { case geometry, properties }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let hasGeometry = try members.contains(.geometry) && !members.decodeNil(forKey: .geometry)
        geometry = hasGeometry ? try? members.decode(GeoJSONGeometry.self, forKey: .geometry) : .nothing
        style = (try? members.decode(SimpleStyle.self, forKey: .properties)) ?? SimpleStyle()
    }
}

private indirect enum GeoJSONGeometry: Decodable {
    case nothing
    case points([Coordinate])
    case lines([[Coordinate]])
    case areas([[[Coordinate]]])
    case collection([GeoJSONGeometry?])

    static let types: Set = [
        "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
    ]
    /// Maximum number of nested collections. Deeper collections are left out.
    private static let maximumDepth = 8

    private enum Key: String, CodingKey { case type, coordinates, geometries }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        func coordinates<Value: Decodable>(_ type: Value.Type) throws -> Value { try members.decode(type, forKey: .coordinates) }
        switch try members.decode(String.self, forKey: .type) {
        case "Point": self = .points([try coordinates(Position.self).coordinate])
        case "MultiPoint": self = .points(try coordinates([Position].self).map(\.coordinate))
        case "LineString": self = .lines([try coordinates([Position].self).map(\.coordinate)])
        case "MultiLineString": self = .lines(try coordinates([[Position]].self).map { $0.map(\.coordinate) })
        case "Polygon": self = .areas([try coordinates([[Position]].self).map { $0.map(\.coordinate) }])
        case "MultiPolygon": self = .areas(try coordinates([[[Position]]].self).map { $0.map { $0.map(\.coordinate) } })
        case "GeometryCollection" where Self.outerCollections(decoder) < Self.maximumDepth:
            self = .collection(try members.decode([Lenient<GeoJSONGeometry>].self, forKey: .geometries).map(\.value))
        default: throw DecodingError.dataCorruptedError(forKey: .type, in: members, debugDescription: "unknown type")
        }
    }

    /// Returns the number of collections around the geometry of a decoder.
    private static func outerCollections(_ decoder: any Decoder) -> Int {
        decoder.codingPath.count { $0.stringValue == Key.geometries.stringValue }
    }

    /// A position. Its longitude and latitude are read, and further numbers are ignored.
    private struct Position: Decodable {
        let coordinate: Coordinate

        init(from decoder: any Decoder) throws {
            var members = try decoder.unkeyedContainer()
            let longitude = try members.decode(Double.self)
            let latitude = try members.decode(Double.self)
            // Some files use longitudes beyond 180 to cross the antimeridian.
            let isNear = longitude.isFinite && abs(longitude) <= 540
            coordinate = Coordinate(latitude: latitude, longitude: isNear ? Coordinate.wrappedLongitude(longitude) : longitude)
        }
    }
}

/// The colours and the name in the properties of a feature.
private struct SimpleStyle: Decodable {
    var name = ""
    var stroke: Color?
    var strokeWidth = 2.0
    var fill: Color?
    /// The opacity in the file; nil if it has none.
    private var givenOpacity: Double?
    var marker: Color?

    /// The opacity of the fill: the one in the file, or else a default. The default is 0.6. For an area without any colour it is 0.1,
    /// because such an area is filled with the colour of the overlay's names, and names on it must stay readable.
    var fillOpacity: Double { givenOpacity ?? (fill == nil && stroke == nil ? 0.1 : 0.6) }

    init() {}

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        func text(_ key: String) -> String? { try? members.decode(String.self, forKey: Key(stringValue: key)) }
        func number(_ key: String) -> Double? {
            let value = (try? members.decode(Double.self, forKey: Key(stringValue: key))) ?? text(key).flatMap { Double($0) }
            return value.flatMap { $0.isFinite ? $0 : nil }
        }
        name = sanitised(text("name") ?? text("title") ?? "", maximumLength: 100)
        stroke = text("stroke").flatMap(Self.color)
        fill = text("fill").flatMap(Self.color)
        marker = text("marker-color").flatMap(Self.color)
        strokeWidth = number("stroke-width") ?? strokeWidth
        givenOpacity = number("fill-opacity")
        if number("stroke-opacity") == 0 { strokeWidth = 0 }
    }

    /// Parses `#rgb` or `#rrggbb`, with or without the `#`. Returns nil for other text.
    private static func color(_ text: String) -> Color? {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        let long = digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
        guard long.utf8.count == 6, long.allSatisfy(\.isHexDigit), let value = UInt32(long, radix: 16) else { return nil }
        return .rgb(
            UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value))
    }
}

extension OverlayFile {
    fileprivate mutating func add(_ feature: GeoJSONFeature?) {
        guard let feature else { return leftOut += 1 }
        add(feature.geometry, feature.style)
    }

    fileprivate mutating func add(_ geometry: GeoJSONGeometry?, _ style: SimpleStyle) {
        switch geometry {
        case nil: leftOut += 1
        case .nothing: break
        case .points(let points):
            for point in points {
                guard point.isValid else {
                    leftOut += 1
                    continue
                }
                places.append(GroundOverlay.Place(coordinate: point, name: style.name, color: style.marker))
            }
        case .lines(let lines):
            for line in lines { add([line], isArea: false, leastCount: 2, style) }
        case .areas(let areas):
            for rings in areas { add(rings, isArea: true, leastCount: 3, style) }
        case .collection(let parts):
            for part in parts { add(part, style) }
        }
    }

    private mutating func add(_ paths: [[Coordinate]], isArea: Bool, leastCount: Int, _ style: SimpleStyle) {
        guard paths.first.map({ $0.count >= leastCount }) == true, paths.allSatisfy({ $0.allSatisfy(\.isValid) }) else {
            return leftOut += 1
        }
        shapes.append(
            GroundOverlay.Shape(
                paths: paths, isArea: isArea, fill: isArea ? GroundOverlay.Fill(color: style.fill, opacity: style.fillOpacity) : nil,
                stroke: style.stroke, strokeWidth: style.strokeWidth, name: style.name))
    }
}
