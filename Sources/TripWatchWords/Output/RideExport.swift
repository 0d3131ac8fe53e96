package import FleetEngine
import FoundationEssentials
package import Geo
package import JourneySharing
import TripWatchSettings

/// Exports a ride for other programs: the vehicle's received positions, and the trip's own stops.
package struct RideExport: Sendable {
    /// The format of the exported file.
    package enum Format: Hashable, Sendable {
        /// GPX 1.1: a track with one segment for each vehicle, and the stops as waypoints.
        case gpx
        /// GeoJSON (RFC 7946): lines and points with names. The times of a line's positions are in `coordTimes`.
        case geoJSON
    }

    private let name: TripName
    private let places: [Coordinate: String]
    private var history = TripHistory()
    private var observer = TripObserver()
    private var journey: JourneyTracker
    private var vehicle: String?
    private var segments: [[Fix]] = []

    private struct Fix {
        var place: Coordinate
        var time: Date
    }

    private struct Stop {
        var name: String
        var place: Coordinate
        var time: Date?
    }

    /// - Parameter places: names for places that the trip itself does not name; untrusted text.
    package init(_ name: TripName, places: [Coordinate: String] = [:]) {
        self.name = name
        self.places = places
        journey = JourneyTracker(tripName: name)
    }

    /// Adds the next update of the trip.
    package mutating func observe(_ update: TripUpdate) {
        journey.observe(update)
        for fact in observer.observe(update, journey) { history.observe(fact, trip: journey.trip, drivenMeters: 0, at: update.time) }
        guard case .trip(let trip, _) = update.kind else { return }
        history.observe(trip, at: update.time)
        guard let location = trip.lastLocation, location.coordinate.isValid, !trip.status.isFinal else { return }
        let isOther = trip.vehicleID != vehicle
        vehicle = trip.vehicleID
        add(Fix(place: location.coordinate, time: location.fixTime ?? update.time), toNewSegment: isOther || segments.isEmpty)
    }

    private var names: TripNames { TripNames(name, trip: journey.trip, title: nil, streets: places, kind: journey.kind) }

    private mutating func add(_ fix: Fix, toNewSegment isNew: Bool) {
        guard !isNew, let last = segments.indices.last else { return segments.append([fix]) }
        if let before = segments[last].last, before.time >= fix.time { return }
        segments[last].append(fix)
    }

    private func stops(_ names: TripNames) -> [Stop] {
        guard let trip = journey.trip else { return [] }
        var stops: [Stop] = []
        func add(_ kind: String, _ name: String, _ place: Coordinate?, _ time: Date?) {
            guard let place, place.isValid else { return }
            stops.append(Stop(name: name.isEmpty ? kind : "\(kind): \(name)", place: place, time: time))
        }
        add("Pickup", names.pickup, trip.pickupPoint, history.pickedUpAt(trip))
        for (index, place) in trip.intermediateDestinations.prefix(99).enumerated() {
            add("Stop \(index + 1)", names.stopPlace(index), place, history.leftStopAt[index])
        }
        add("Drop-off", names.dropoff, trip.dropoffPoint, history.droppedOffAt(trip))
        return stops
    }

    /// The content of the file, including its last line break.
    package func text(_ format: Format) -> String {
        switch format {
        case .gpx: gpx
        case .geoJSON: geoJSON
        }
    }

    // MARK: - GPX

    private var gpx: String {
        let names = self.names
        let title = Self.escaped(names.title)
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<gpx version="1.1" creator="tripwatch" xmlns="http://www.topografix.com/GPX/1/1">"#,
            "  <metadata><name>\(title)</name></metadata>",
        ]
        for stop in stops(names) {
            let time = stop.time.map { "<time>\(Timestamps.rfc3339($0))</time>" } ?? ""
            lines.append("  <wpt \(Self.position(stop.place))>\(time)<name>\(Self.escaped(stop.name))</name></wpt>")
        }
        lines.append("  <trk><name>\(title)</name>")
        for segment in segments {
            lines.append("    <trkseg>")
            lines += segment.map { "      <trkpt \(Self.position($0.place))><time>\(Timestamps.rfc3339($0.time))</time></trkpt>" }
            lines.append("    </trkseg>")
        }
        return (lines + ["  </trk>", "</gpx>"]).joined(separator: "\n") + "\n"
    }

    private static func position(_ place: Coordinate) -> String {
        "lat=\"\(place.latitude.fixed(decimals: 7))\" lon=\"\(place.longitude.fixed(decimals: 7))\""
    }

    /// Escapes text for XML. Characters that XML cannot represent become spaces.
    private static func escaped(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;".unicodeScalars
            case "<": out += "&lt;".unicodeScalars
            case ">": out += "&gt;".unicodeScalars
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE: out.append(" ")
            default: out.append(scalar)
            }
        }
        return String(out)
    }

    // MARK: - GeoJSON

    private var geoJSON: String {
        let names = self.names
        var features = segments.map { segment in
            Self.feature(
                segment.count > 1 ? "LineString" : "Point",
                segment.count > 1 ? .array(segment.map { Self.pair($0.place) }) : segment.first.map { Self.pair($0.place) } ?? .null
            ) {
                $0.add("name", .string(names.title))
                $0.add("coordTimes", .array(segment.map { .time($0.time) }))
            }
        }
        features += stops(names).map { stop in
            Self.feature("Point", Self.pair(stop.place)) {
                $0.add("name", .string(stop.name))
                $0.add("time", stop.time.map(JSONText.time))
            }
        }
        let collection = JSONText.object {
            $0.add("type", .string("FeatureCollection"))
            $0.add("features", .array(features))
        }
        return collection.text + "\n"
    }

    private static func pair(_ place: Coordinate) -> JSONText {
        .array([.number(place.longitude, decimals: 7), .number(place.latitude, decimals: 7)])
    }

    private static func feature(_ kind: String, _ places: JSONText, _ properties: (inout JSONLine) -> Void) -> JSONText {
        .object {
            $0.add("type", .string("Feature"))
            $0.add(
                "geometry",
                .object {
                    $0.add("type", .string(kind))
                    $0.add("coordinates", places)
                })
            $0.add("properties", .object(properties))
        }
    }
}
