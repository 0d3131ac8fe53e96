import FleetEngine
public import Geo

/// The lines and waypoints of a GPX file, with their names and without their times. A line is a segment of a track, or a route.
public struct GPXOutline: Sendable {
    /// A segment of a track, or a route.
    public struct Line: Sendable {
        /// Name; empty if the file gives none.
        public var name = ""
        /// Path of the line, at least two points.
        public var path: [Coordinate] = []
    }

    /// A single point that belongs to no line.
    public struct Waypoint: Sendable {
        /// Position of the waypoint. It is invalid if the position in the file is invalid.
        public var coordinate: Coordinate
        /// Name; empty if the file gives none.
        public var name = ""
    }

    /// The lines in the order of the file.
    public private(set) var lines: [Line] = []
    /// The waypoints in the order of the file.
    public private(set) var waypoints: [Waypoint] = []
    /// Number of points left out of lines, because they are invalid or exactly 0,0.
    public private(set) var omitted = 0

    /// Error that stopped the reading before the end of the file; nil if the whole file was read.
    public private(set) var breakOff: LocationFileError?

    /// Reads a file.
    /// - Parameter refill: returns the next piece; nil at the end.
    /// - Throws: `LocationFileError`, also for a file that breaks off before its first waypoint or line, or has more than
    ///   `RecordedTrack.maximumCount` points or `RecordedTrack.maximumPartCount` lines.
    public init(_ refill: @escaping () throws(LocationFileError) -> [UInt8]?) throws(LocationFileError) {
        var xml = XMLReader(refill)
        var path: [String] = []
        var count = 0
        /// Name of the current track or route.
        var name = ""
        do throws(LocationFileError) {
            while let event = try xml.next() {
                switch event {
                case .start(let tag, let attributes):
                    guard !path.isEmpty || tag == "gpx" else { throw .isNot("GPX file") }
                    path.append(tag)
                    if tag == "trk" || tag == "rte" { name = "" }
                    if tag == "trkseg" || tag == "rte" {
                        guard lines.count < RecordedTrack.maximumPartCount else { throw .tooManyParts }
                        lines.append(Line(name: name))
                    }
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
            // A name that follows belongs to this waypoint, even if its position is invalid.
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
