import FleetEngine
public import Geo

/// Everything that a GPX file draws: segments of tracks, routes and waypoints, with their names, whatever their times.
public struct GPXOutline: Sendable {
    /// A segment of a track, or a route.
    public struct Line: Sendable {
        /// Empty where it has none.
        public var name = ""
        /// At least two places.
        public var path: [Coordinate] = []
    }

    /// A place by itself.
    public struct Waypoint: Sendable {
        /// Not valid where the file says what is no place.
        public var coordinate: Coordinate
        /// Empty where it has none.
        public var name = ""
    }

    /// In the order of the file.
    public private(set) var lines: [Line] = []
    /// In the order of the file.
    public private(set) var waypoints: [Waypoint] = []
    /// Points of lines without a place on earth, or at exactly 0,0, which are left out.
    public private(set) var omitted = 0

    /// What ended the reading before the end of the file.
    public private(set) var breakOff: LocationFileError?

    /// Reads a file.
    /// - Parameter refill: its next piece; nil at its end.
    /// - Throws: `LocationFileError`, also for a file that breaks off before its first place or line, or has more than `RecordedTrack.maximumCount` places.
    public init(_ refill: @escaping () throws(LocationFileError) -> [UInt8]?) throws(LocationFileError) {
        var xml = XMLReader(refill)
        var path: [String] = []
        var count = 0
        /// The name of the track or route that is open.
        var name = ""
        do throws(LocationFileError) {
            while let event = try xml.next() {
                switch event {
                case .start(let tag, let attributes):
                    guard !path.isEmpty || tag == "gpx" else { throw .isNot("GPX file") }
                    path.append(tag)
                    if tag == "trk" || tag == "rte" { name = "" }
                    if tag == "trkseg" || tag == "rte" { lines.append(Line(name: name)) }
                    guard ["trkpt", "rtept", "wpt"].contains(tag) else { continue }
                    count += 1
                    guard count <= RecordedTrack.maximumCount else { throw .tooLong }
                    add(Self.place(attributes), isWaypoint: tag == "wpt")
                case .end(let tag):
                    path.removeLast()
                    guard tag == "name", let owner = path.last else { continue }
                    let text = ForeignText.line(xml.text)
                    if owner == "wpt", !waypoints.isEmpty { waypoints[waypoints.count - 1].name = text }
                    if owner == "trk" { name = text }
                    if owner == "rte", !lines.isEmpty { lines[lines.count - 1].name = text }
                }
            }
        } catch {
            if case .isNot = error { throw .isNot("GPX file") }
            guard error.isBreak, !waypoints.isEmpty || lines.contains(where: { $0.path.count > 1 }) else { throw error }
            breakOff = error
        }
        lines.removeAll { $0.path.count < 2 }
    }

    private mutating func add(_ place: Coordinate, isWaypoint: Bool) {
        if isWaypoint {
            // A name that follows belongs to it, place or not.
            waypoints.append(Waypoint(coordinate: place))
        } else if place.isBelievablePosition, !lines.isEmpty {
            lines[lines.count - 1].path.append(place)
        } else {
            omitted += 1
        }
    }

    private static func place(_ attributes: [XMLReader.Attribute]) -> Coordinate {
        func figure(_ name: String) -> Double { attributes.first { $0.name == name }.flatMap { Double(written: $0.value) } ?? .nan }
        return Coordinate(latitude: figure("lat"), longitude: figure("lon"))
    }
}
