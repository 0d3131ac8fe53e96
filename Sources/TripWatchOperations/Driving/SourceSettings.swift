import Driver
package import FleetEngine
package import Geo
package import LocationSources
package import Navigation
package import ProgramSurroundings
package import Routing
import TripRecording
import TripWatchRuntime
import TripWatchWords

/// The source of a driver's positions.
package enum SourceSettings: Hashable, Sendable {
    /// A simulated car that drives along the driver's routes.
    case simulation
    /// The path of a GPX file.
    case gpx(String)
    /// The path of a file with NMEA sentences.
    case nmea(String)
    case gpsd(GPSDAddress)
    /// Lines from standard input.
    case standardInput(StreamFormat)
    /// The path of a recorded drive, or of an exported Fleet Engine log with a trip in it.
    case replay(String, trip: String?)
}

/// A source of positions that was opened and checked.
package struct OpenedSource: Sendable {
    /// Display name, such as `GPX file`.
    package let name: String
    /// Display name in a sentence: `the GPX file`, but `standard input`.
    package var subject: String { readsStandardInput ? name : "the \(name)" }
    /// The route that the positions follow; nil if it is not known in advance.
    package let way: Polyline?
    /// Whether the source reads standard input.
    package let readsStandardInput: Bool
    /// The recorded drive to repeat; nil for other sources.
    private let recording: DriveRecording?
    /// Starts the source with the driver's clock. Call it only once.
    package let start: @Sendable (any TimeSource) -> any LocationSource

    fileprivate init(
        name: String, way: Polyline? = nil, readsStandardInput: Bool = false, recording: DriveRecording? = nil,
        start: @escaping @Sendable (any TimeSource) -> any LocationSource
    ) {
        self.name = name
        self.way = way
        self.readsStandardInput = readsStandardInput
        self.recording = recording
        self.start = start
    }

    /// Returns the router to use. A recorded drive repeats its recorded routes.
    /// - Parameter other: the router for routes that the recording does not have.
    package func router(_ other: any Router) -> any Router { recording.map { RecordedRouter($0, other: other) } ?? other }
}

extension SourceSettings {
    /// Opens and checks the source. Reads files completely, and shows progress for long files.
    ///
    /// - Parameters:
    ///   - vehicle: the id of the vehicle to drive.
    ///   - route: the route for a simulated car.
    /// - Throws: `Failure` with one sentence about the problem.
    package func open(
        vehicle: String, route: Polyline?, in surroundings: Surroundings
    ) async throws(Failure) -> OpenedSource {
        let streams = surroundings.streams
        switch self {
        case .simulation:
            var car = SimulatedVehicleConfiguration()
            car.startWay = route
            return OpenedSource(name: "simulation") { [car] time in SimulatedVehicle(car, time: time) }
        case .gpx(let path):
            let track = try Self.read(path, streams) { bytes throws(LocationFileError) in
                try GPXReader.track { () throws(LocationFileError) in try bytes.next() }
            }
            return Self.recorded(track, "GPX file", path, streams)
        case .nmea(let path):
            return try Self.nmea(path, streams)
        case .gpsd(let address):
            do throws(LocationSourceError) {
                let connection = try await GPSDConnection.open(address) { streams.say("tripwatch: \(printable($0))") }
                return OpenedSource(name: "gpsd") { time in connection.source(time: time) }
            } catch {
                throw Failure(message: "\(error).", exitCode: ExitCodes.failed)
            }
        case .standardInput(let format):
            let input = streams.input
            return OpenedSource(name: "standard input", readsStandardInput: true) { time in
                LiveSource.lines(of: format, from: input, name: "standard input", time: time)
            }
        case .replay(let path, _) where try Self.isDrive(path):
            let recording = try Self.read(path, streams) { bytes throws(LocationFileError) in
                try DriveRecording { () throws(LocationFileError) in try bytes.next() }
            }
            return Self.recorded(recording.track, "recording", path, streams, recording)
        case .replay(let path, let trip):
            let track = try Self.logTrack(path, vehicle: vehicle, trip: trip, streams)
            return Self.recorded(track, "recording", path, streams)
        }
    }

    private static func nmea(_ path: String, _ streams: StandardStreams) throws(Failure) -> OpenedSource {
        let track = try read(path, streams) { bytes throws(LocationFileError) in
            try NMEAReader.track { () throws(LocationFileError) in try bytes.next() }
        }
        return recorded(track, "NMEA file", path, streams)
    }

    private static func isDrive(_ path: String) throws(Failure) -> Bool {
        do throws(LocationFileError) {
            let file = try FileBytes(path: path)
            return DriveRecording.isRecording(try PlainText { () throws(LocationFileError) in try file.next() }.next() ?? [])
        } catch {
            throw failure(path, error)
        }
    }

    private static func read<Content>(
        _ path: String, _ streams: StandardStreams, _ read: (PlainText) throws(LocationFileError) -> Content
    ) throws(Failure) -> Content {
        let progress = ReadingProgress(path, streams)
        defer { progress.end() }
        do throws(LocationFileError) {
            let file = try FileBytes(path: path) { progress.tell($0) }
            return try read(PlainText { () throws(LocationFileError) in try file.next() })
        } catch {
            throw failure(path, error)
        }
    }

    private static func logTrack(
        _ path: String, vehicle: String, trip: String?, _ streams: StandardStreams
    ) throws(Failure) -> RecordedTrack {
        let progress = ReadingProgress(path, streams)
        defer { progress.end() }
        let bytes = try RecordedFile.bytes(of: path)
        let log: FleetEngineLog
        do throws(TripRecordingError) {
            log = try FleetEngineLog(bytes: bytes) { progress.tell($0) }
        } catch {
            throw Failure(message: "\(printable(path)): \(error).", exitCode: ExitCodes.failed)
        }
        do throws(LocationFileError) {
            return try RecordedTrack(log, vehicle: vehicle, trip: trip)
        } catch {
            throw failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: LocationFileError) -> Failure {
        Failure(message: "\(printable(path)) cannot be used as a source of positions: \(error).", exitCode: ExitCodes.failed)
    }

    private static func recorded(
        _ track: RecordedTrack, _ name: String, _ path: String, _ streams: StandardStreams, _ recording: DriveRecording? = nil
    ) -> OpenedSource {
        if track.omittedCount > 0 {
            streams.say(
                "tripwatch: \(printable(path)): points skipped: \(track.omittedCount) of \(track.count + track.omittedCount) "
                    + "(no time, out of order, in another track, or with coordinates that are invalid or 0,0).")
        }
        if track.interpolatedCount > 0 {
            streams.say(
                "tripwatch: \(printable(path)): points without a time: \(track.interpolatedCount) of \(track.count); for each, a time "
                    + "is computed from the points before and after it.")
        }
        if track.jumpCount > 0 {
            let often = track.jumpCount == 1 ? "once" : "\(track.jumpCount) times"
            streams.say(
                "tripwatch: \(printable(path)): the recorded time jumps \(often), backwards or by more than a day; "
                    + "when the recording is driven, each jump counts as 1 s.")
        }
        if let reason = track.breakOff {
            streams.say("tripwatch: \(printable(path)): \(reason). Only the part before that line is driven.")
        }
        if let reason = track.unusedTimes {
            streams.say("tripwatch: \(printable(path)): its times are not used: \(reason). Its route is driven at 50 km/h.")
        }
        return OpenedSource(name: name, way: track.line, recording: recording) { time in RecordedSource(track, name: name, time: time) }
    }
}

/// Reports the progress of reading a long file on standard error, once a second after the first second.
private final class ReadingProgress {
    private let path: String
    private let streams: StandardStreams
    private var last = ContinuousClock.now
    private var isTold = false

    init(_ path: String, _ streams: StandardStreams) { (self.path, self.streams) = (path, streams) }

    func tell(_ share: Double) {
        guard last.duration(to: .now) >= .seconds(1) else { return }
        (last, isTold) = (.now, true)
        let words = "tripwatch: reading \(printable(path)): \(Int(share * 100)) %"
        if streams.isErrorTerminal { streams.noteInPlace(words) } else { streams.note(words) }
    }

    func end() { if isTold, streams.isErrorTerminal { streams.noteInPlace("") } }
}
