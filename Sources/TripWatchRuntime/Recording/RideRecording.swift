import Files
package import FleetEngine
package import FleetEngineGRPC
import FoundationEssentials
import Glibc
import JourneySharing
package import ProgramSurroundings
import Synchronization
package import TripRecording
import TripWatchScreen
import TripWatchWords

/// Records rides while they are followed.
package final class RideRecording: Sendable {
    private let tapes = TripTapes()
    private let files = Mutex<[TripName: Ride]>([:])
    /// The trips whose file could not be created. No second attempt is made, because a later file would start in the middle of the ride.
    private let refused = Mutex<Set<TripName>>([])
    /// Receives error messages; nil to write them to standard error.
    private let tell = Mutex<(@Sendable (String) -> Void)?>(nil)
    /// The folder for rides that are not recorded in a named file.
    private let folder: RideFolder?

    private struct Ride {
        var file: RecordingFile
        /// The current path of the file.
        var path: String
        /// Whether the ride is protected from automatic deletion.
        var stays: Bool
    }

    /// The command's surroundings; nil to record no rides into the folder and to export none.
    private let surroundings: Surroundings?

    /// The rider's own data, which is written into the header of each recording.
    private let scene: RecordedScene

    /// The maximum number of rides that are recorded into the folder at the same time.
    private let mostRides: Int

    package init(
        folder: RideFolder? = nil, mostRides: Int = 0, scene: RecordedScene = RecordedScene(), in surroundings: Surroundings? = nil
    ) {
        self.folder = folder
        self.mostRides = mostRides
        self.scene = scene
        self.surroundings = surroundings
    }

    /// Starts recording a trip in a new file.
    /// - Parameters:
    ///   - time: the clock of the followed trip.
    ///   - stays: whether the ride is protected from automatic deletion.
    package func add(_ name: TripName, to file: RecordingFile, time: any TimeSource, stays: Bool = true) {
        files.withLock { $0[name] = Ride(file: file, path: file.path, stays: stays) }
        tapes.add(TripTape(trip: name, scene: scene, clock: { time.now() }) { file.write($0) })
    }

    /// Starts recording a trip into the folder of rides, if possible. A new file displaces the oldest ride, so it is created only at
    /// the first answer.
    package func add(_ name: TripName, time: any TimeSource) {
        guard surroundings != nil, folder != nil, tapes.names.count < mostRides, !tapes.names.contains(name) else { return }
        tapes.add(
            TripTape(trip: name, scene: scene, waitsForAnswer: true, clock: { time.now() }) { [self] in
                write($0, of: name, at: time.now())
            })
    }

    private func write(_ line: String, of name: TripName, at now: Date) {
        let file = files.withLock { files -> RecordingFile? in
            if let known = files[name] { return known.file }
            guard let surroundings, !refused.withLock({ $0.contains(name) }) else { return nil }
            guard let file = folder?.file(for: name, at: now, in: surroundings) else {
                refused.withLock { _ = $0.insert(name) }
                return nil
            }
            tell.withLock { if let tell = $0 { file.onTrouble(tell) } }
            files[name] = Ride(file: file, path: file.path, stays: false)
            return file
        }
        file?.write(line)
    }

    /// A receiver that records the answers of the client.
    package var onAnswer: @Sendable (ReceivedAnswer) -> Void {
        { [tapes] answer in
            switch answer {
            case .trip(let wire, let name): tapes.hear(wire, of: name)
            case .vehicle(let wire, let name): tapes.hear(wire, of: name)
            case .shipment: break
            }
        }
    }

    /// Starts recording the models' updates. The recording continues as long as the caller keeps the recorders alive.
    @MainActor
    func begin(_ models: [TripModel]) -> [RideRecorder] {
        models.compactMap { model in
            guard let tape = tapes.tape(of: model.tripName) else { return nil }
            let recorder = RideRecorder(tape, of: model)
            model.register(recorder)
            return recorder
        }
    }

    /// Sets the receiver of messages about failed writes.
    func onTrouble(_ tell: @escaping @Sendable (String) -> Void) {
        self.tell.withLock { $0 = tell }
        for ride in files.withLock({ Array($0.values) }) { ride.file.onTrouble(tell) }
    }

    // MARK: - After the ride

    /// The names of the recorded trips.
    var names: Set<TripName> { tapes.names }

    func path(of name: TripName) -> String? { files.withLock { $0[name]?.path } }

    /// Returns the display name and the size of a ride's file; nil without a file.
    func weight(of name: TripName) -> RideFile? {
        guard let path = path(of: name), let facts = Files.facts(of: path) else { return nil }
        return RideFile(name: printable(path.split(separator: "/").last.map(String.init) ?? path), bytes: facts.size)
    }

    /// Protects a ride from automatic deletion.
    /// - Returns: a sentence about the result.
    func keep(_ name: TripName) -> String {
        files.withLock { files in
            guard let ride = files[name] else { return "The ride was not recorded." }
            if ride.stays { return "Already kept as \(printable(ride.path))" }
            guard let kept = folder?.keep(ride.path) else { return "Not kept: \(printable(ride.path)) cannot be moved." }
            files[name]?.path = kept
            files[name]?.stays = true
            return "Kept in \(printable(kept.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")))"
        }
    }

    /// Exports a ride into new files in the working directory, in formats that other programs can read.
    /// - Returns: a sentence about the result.
    @MainActor
    func export(_ name: TripName) async -> String {
        guard let path = path(of: name), let surroundings else { return "The ride was not recorded." }
        do {
            let recorded = try await Self.read(path, surroundings.streams)
            if let failure = recorded.onlyFailure { throw RecordedFile.failure(failure, onlyIn: path) }
            var ride = RideExport(name, places: recorded.scene.placeNames)
            await recorded.eachUpdate { ride.observe($0) }
            let base = RideFolder.safe(name.trip)
            for (format, ending) in [(RideExport.Format.gpx, "gpx"), (.geoJSON, "geojson")] {
                let file = try RecordingFile("\(surroundings.workingDirectory)/\(base).\(ending)", option: "", in: surroundings)
                // The result says that the export has failed.
                file.onTrouble { _ in }
                guard file.write(String(ride.text(format).dropLast())) else {
                    unlink(file.path)
                    return "Not exported: cannot write \(base).\(ending)"
                }
            }
            return "Exported \(base).gpx and .geojson to \(printable(surroundings.workingDirectory))"
        } catch let failure as Failure {
            return "Not exported: \(failure.message)"
        } catch {
            return "Not exported."
        }
    }

    /// Reads a recording off the main actor, since it may be large.
    private static func read(_ path: String, _ streams: StandardStreams) async throws -> RecordedTrip {
        try await Task.detached { try RecordedFile.read(path, streams) }.value
    }
}
