import FleetEngine
import Geo

/// Reads GPX 1.0 and 1.1. It reads the tracks of the file, or its routes if no track has a point. If the routes have no point either, it
/// reads the waypoints with times, if there are at least two. Some programs write a track as waypoints.
///
/// Tracks with times are driven in the order of their times. Missing times between known ones are interpolated. If most points
/// still have no time, or the times are not plausible, the track or route with the most points is driven without times.
///
/// Speed (metres per second) and course are read from GPX 1.0's own elements and from the extensions of 1.1.
public struct GPXReader {
    /// A segment of a track, or a route.
    private struct Part {
        /// Number of the track or route that the part belongs to.
        let owner: Int
        var points: [TrackPoint] = []
    }

    private var xml: XMLReader
    private var tracks: [Part] = []
    private var routes: [Part] = []
    /// The waypoints as one part; empty if the file has none.
    private var waypoints: [Part] = []
    private var ownerCount = 0
    private var count = 0
    private var omitted = 0
    /// Whether any point has a usable time.
    private var hasTimes = false
    /// The first unusable time.
    private var unreadableTime: String?
    private var point: TrackPoint?
    private var geoidHeight = Double.nan

    /// Reads a file.
    /// - Parameter refill: returns the next piece; nil at the end.
    /// - Throws: `LocationFileError`, also for a file that breaks off before its second point.
    public static func track(_ refill: @escaping () throws(LocationFileError) -> [UInt8]?) throws(LocationFileError) -> RecordedTrack {
        var reader = GPXReader(xml: XMLReader(refill))
        var breakOff: LocationFileError?
        do throws(LocationFileError) {
            try reader.readAll()
        } catch {
            guard error.isBreak, reader.placeCount > 1 else { throw error }
            breakOff = error
        }
        var track = try reader.result()
        track.breakOff = breakOff
        return track
    }

    /// Number of complete points in the tracks and routes.
    private var placeCount: Int { (tracks + routes).reduce(0) { $0 + $1.points.count } }

    private init(xml: XMLReader) { self.xml = xml }

    private mutating func readAll() throws(LocationFileError) {
        var isRoot = true
        do throws(LocationFileError) {
            while let event = try xml.next() {
                switch event {
                case .start(let name, let attributes):
                    guard !isRoot || name == "gpx" else { throw .isNot("GPX file") }
                    isRoot = false
                    try start(name, attributes)
                case .end(let name): end(name)
                }
            }
        } catch {
            if case .isNot = error { throw .isNot("GPX file") }
            throw error
        }
    }

    private mutating func start(_ name: String, _ attributes: [XMLReader.Attribute]) throws(LocationFileError) {
        switch name {
        case "trk", "rte":
            ownerCount += 1
            if name == "rte" { try begin(\.routes) }
        case "trkseg": try begin(\.tracks)
        case "trkpt", "rtept", "wpt":
            if name == "wpt", waypoints.isEmpty { waypoints.append(Part(owner: 0)) }
            guard count < RecordedTrack.maximumCount else { throw .tooLong }
            count += 1
            var new = TrackPoint()
            for attribute in attributes {
                if attribute.name == "lat" { new.latitude = Double(written: attribute.value) ?? .nan }
                if attribute.name == "lon" { new.longitude = Double(written: attribute.value) ?? .nan }
            }
            point = new
            geoidHeight = .nan
        default: break
        }
    }

    private mutating func begin(_ parts: WritableKeyPath<GPXReader, [Part]>) throws(LocationFileError) {
        guard tracks.count + routes.count < RecordedTrack.maximumPartCount else { throw .tooManyParts }
        self[keyPath: parts].append(Part(owner: ownerCount))
    }

    private mutating func end(_ name: String) {
        guard var open = point else { return }
        func figure() -> Double { Double(written: xml.word) ?? .nan }
        switch name {
        case "time": setTime(&open)
        case "ele": open.altitude = figure()
        case "geoidheight": geoidHeight = figure()
        case "speed": open.speed = figure()
        case "course": open.course = figure()
        case "hdop":
            let dilution = figure()
            if dilution > 0, dilution < 50 { open.accuracy = dilution * TrackPoint.metersPerDilution }
        case "trkpt": return finish(open, in: \.tracks)
        case "rtept": return finish(open, in: \.routes)
        case "wpt": return finish(open, in: \.waypoints)
        default: return
        }
        point = open
    }

    private mutating func setTime(_ open: inout TrackPoint) {
        if let moment = MomentText(xml.trimmed, .phone) { open.time = Double(moment.seconds) + Double(moment.nanoseconds) * 1e-9 }
        if open.isTimed { hasTimes = true }
        if !open.isTimed, unreadableTime == nil, !xml.trimmed.isEmpty { unreadableTime = ForeignText.line(xml.trimmed, limit: 40) }
    }

    private mutating func finish(_ done: TrackPoint, in parts: WritableKeyPath<GPXReader, [Part]>) {
        var done = done
        point = nil
        // GPX altitudes are heights above sea level. Without the height of the geoid, the altitude above the ellipsoid is unknown.
        done.altitude += geoidHeight
        let last = self[keyPath: parts].indices.last
        guard done.coordinate.isBelievablePosition, let last else {
            if parts != \.waypoints { omitted += 1 }
            return
        }
        self[keyPath: parts][last].points.append(done)
    }

    private func result() throws(LocationFileError) -> RecordedTrack {
        var parts = tracks.contains { !$0.points.isEmpty } ? tracks : routes
        if parts.allSatisfy(\.points.isEmpty), waypoints.contains(where: { $0.points.count { $0.isTimed } > 1 }) {
            // Waypoints have no order of their own, so they are sorted by time.
            parts = waypoints.map { part in
                Part(owner: part.owner, points: part.points.filter(\.isTimed).sorted { $0.time < $1.time })
            }
        }
        let count = parts.reduce(0) { $0 + $1.points.count }
        guard count > 0 else { throw .noPlaces("track or route with points") }
        var unused: UnusedTimes?
        do throws(UnusedTimes) {
            return try RecordedTrack.timed(parts.map(\.points), omitted: omitted)
        } catch {
            unused = error == .few ? unreadableTime.map { .unreadable($0) } ?? (hasTimes ? error : nil) : error
        }
        let lines = Dictionary(grouping: parts, by: \.owner).mapValues { $0.flatMap(\.points) }
        let longest = lines.max { ($0.value.count, -$0.key) < ($1.value.count, -$1.key) }?.value ?? []
        return RecordedTrack(line: longest.map(\.coordinate), omitted: omitted + count - longest.count, unusedTimes: unused)
    }
}
