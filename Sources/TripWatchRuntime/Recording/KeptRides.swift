import BoundedJSON
import Files
import FleetEngine
import FoundationEssentials
import Glibc
package import ProgramSurroundings
import TerminalCanvas
import TripRecording
import TripWatchWords

/// The rides recorded on this machine.
package struct KeptRides: Sendable {
    /// A recorded ride.
    struct Ride: Sendable {
        /// The file's name without its extension.
        let name: String
        let path: String
        /// Whether the ride is protected from automatic deletion.
        let isKept: Bool
        let isOfDemo: Bool
        let bytes: Int
        let writtenAt: Date

        /// The first bytes of the file; empty if it cannot be read.
        var beginning: Beginning {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return Beginning([]) }
            defer { close(descriptor) }
            return Beginning((try? Files.piece(of: descriptor, limit: Beginning.longest)) ?? [])
        }
    }

    /// The beginning of a recording.
    struct Beginning {
        /// The maximum number of bytes that are read from a file.
        static let longest = 256 * 1_024
        /// The number of lines at the start of a file that are searched for the first answer.
        private static let titleLines = 4

        private let bytes: [UInt8]
        /// The name of the recorded trip; nil if the file does not contain it.
        let trip: TripName?
        /// The name of the recorded shipment; nil for a ride. The program itself records no shipments into this folder.
        let shipment: TaskTrackingName?

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            let line = Data(bytes.prefix { $0 != UInt8(ascii: "\n") })
            let header = try? JSONDecoder().decodeBounded(Header.self, from: line)
            trip = header?.trip.flatMap { try? TripName($0) }
            shipment = header?.tracking.flatMap { try? TaskTrackingName($0) }
        }

        /// Returns the trip's title according to the first answer in the recording; nil without an answer, or if it gives only the trip's
        /// id.
        /// - Parameter kind: the kind of a trip whose attributes do not state one.
        func title(fallback kind: TripKind?) -> String? {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: Self.titleLines).prefix(Self.titleLines)
            let first = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
            guard let recorded = try? RecordedTrip(bytes: first), let trip = recorded.firstAnswer else { return nil }
            let kind = TripKind(attributes: trip.attributes, fallback: kind)
            let names = TripNames(recorded.name, trip: trip, title: nil, streets: recorded.scene.placeNames, kind: kind)
            return names.ownTitle ?? TripNames.title(of: recorded.name, to: trip.dropoffPoint, kind: kind)
        }
    }

    private struct Header: Decodable {
        let trip: String?
        let tracking: String?
    }

    /// The rides, the newest first.
    let rides: [Ride]

    package init(in surroundings: Surroundings) {
        guard let state = StateFolder.path(environment: surroundings.environment) else {
            rides = []
            return
        }
        let folder = state + "/rides"
        let all = Self.rides(in: folder) + Self.rides(in: folder + "/kept", isKept: true) + Self.rides(in: folder + "/demo", isOfDemo: true)
        // File names begin with the time, so this order puts the newest ride first.
        rides = all.sorted { $0.name > $1.name }
    }

    private static func rides(in folder: String, isKept: Bool = false, isOfDemo: Bool = false) -> [Ride] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(ending) }.compactMap { file in
            let path = "\(folder)/\(file)"
            guard let facts = Files.facts(of: path) else { return nil }
            return Ride(
                name: String(file.dropLast(ending.count)), path: path, isKept: isKept, isOfDemo: isOfDemo, bytes: facts.size,
                writtenAt: Date(timeIntervalSince1970: facts.changedAt))
        }
    }

    private static let ending = ".trip"

    /// Returns the path of a recording. `text` is a path, the name of a ride, or a part of exactly one name. Other text is returned
    /// unchanged. For nil, returns the newest ride that is not a demo, or else the newest demo.
    ///
    /// - Throws: `Failure` if `text` is nil and there is no ride, or if `text` is only a part of several names.
    package func file(_ text: String?, in surroundings: Surroundings) throws(Failure) -> String {
        guard let text else {
            guard let ride = rides.first(where: { !$0.isOfDemo }) ?? rides.first else {
                throw Failure(
                    message: "no rides are saved on this machine: follow a trip on a screen first, or name a file.",
                    exitCode: ExitCodes.usage)
            }
            return ride.path
        }
        if text.contains("/") || surroundings.exists(text) { return text }
        let wanted = text.hasSuffix(Self.ending) ? String(text.dropLast(Self.ending.count)) : text
        if let ride = rides.first(where: { $0.name == wanted }) { return ride.path }
        let found = rides.filter { !wanted.isEmpty && $0.name.contains(wanted) }
        guard found.count < 2 else {
            throw Failure(
                message: "\(found.count) rides have '\(printable(text))' in their names: 'tripwatch list --rides' shows them.",
                exitCode: ExitCodes.usage)
        }
        return found.first?.path ?? text
    }

    /// Returns one line per ride. The line has the ride's name, the trip's title or the shipment's tracking id, the time since the last
    /// write, and the file's size. It ends with `kept` for a protected ride, and with `demo` for a ride of the demo.
    func lines(_ known: KnownTrips, now: Date) -> [String] {
        let rows = rides.map { ride in
            let beginning = ride.beginning
            let tripTitle = beginning.trip.map { name in
                known[name]?.title ?? beginning.title(fallback: known[name]?.kind) ?? known[name]?.goal ?? name.trip
            }
            let title = tripTitle ?? beginning.shipment?.trackingID ?? "–"
            let age = TripWords.age(max(0, now.timeIntervalSince(ride.writtenAt)))
            let kind = ride.isKept ? "kept" : ride.isOfDemo ? "demo" : ""
            return [ride.name, title, "\(age) ago", TripWords.fileSize(ride.bytes), kind].map { sanitised($0, maximumLength: 200) }
        }
        let widths = (rows.first ?? []).indices.map { column in rows.map { displayWidth($0[column]) }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { padded($0, columns: $1, alignment: .left) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }

    private struct Entry: Encodable {
        let name: String
        let trip: String?
        let file: String
        let kept: Bool
        let demo: Bool
        let bytes: Int
    }

    /// A JSON array of the rides; it may be empty.
    var jsonLine: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let entries = rides.map {
            Entry(name: $0.name, trip: $0.beginning.trip?.description, file: $0.path, kept: $0.isKept, demo: $0.isOfDemo, bytes: $0.bytes)
        }
        return (try? encoder.encode(entries)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }
}
