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

/// The rides that are written down while they are followed.
package final class RideRecording: Sendable {
    private let tapes = TripTapes()
    private let files = Mutex<[TripName: Ride]>([:])
    /// Trips for which no file could be made: one that came later would begin in the middle.
    private let refused = Mutex<Set<TripName>>([])
    /// Where trouble is told; nil takes standard error.
    private let tell = Mutex<(@Sendable (String) -> Void)?>(nil)
    /// Where rides are put that nobody has named a file for.
    private let folder: RideFolder?

    private struct Ride {
        var file: RecordingFile
        /// Where it is now.
        var path: String
        var stays: Bool
    }

    /// Nil where nothing is written down.
    private let surroundings: Surroundings?

    /// What stands in the header of each.
    private let scene: RecordedScene

    /// So many rides are written into the folder at once.
    private let mostRides: Int

    package init(
        folder: RideFolder? = nil, mostRides: Int = 0, scene: RecordedScene = RecordedScene(), in surroundings: Surroundings? = nil
    ) {
        self.folder = folder
        self.mostRides = mostRides
        self.scene = scene
        self.surroundings = surroundings
    }

    /// Writes a trip into a new file.
    /// - Parameters:
    ///   - time: the clock by which it is followed.
    ///   - stays: it is not swept away.
    package func add(_ name: TripName, to file: RecordingFile, time: any TimeSource, stays: Bool = true) {
        files.withLock { $0[name] = Ride(file: file, path: file.path, stays: stays) }
        tapes.add(TripTape(trip: name, scene: scene, clock: { time.now() }) { file.write($0) })
    }

    /// Writes a trip into the folder of rides, if it can be, from its first answer on: until then nothing older makes room for it.
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

    /// For the client that asks for the trips.
    package var onAnswer: @Sendable (ReceivedAnswer) -> Void {
        { [tapes] answer in
            switch answer {
            case .trip(let wire, let name): tapes.hear(wire, of: name)
            case .vehicle(let wire, let name): tapes.hear(wire, of: name)
            }
        }
    }

    /// Begins to write down what the models tell. The recorders are to be held as long.
    @MainActor
    func begin(_ models: [TripModel]) -> [RideRecorder] {
        models.compactMap { model in
            guard let tape = tapes.tape(of: model.tripName) else { return nil }
            let recorder = RideRecorder(tape, of: model)
            model.register(recorder)
            return recorder
        }
    }

    /// Where it is told that nothing more can be written.
    func onTrouble(_ tell: @escaping @Sendable (String) -> Void) {
        self.tell.withLock { $0 = tell }
        for ride in files.withLock({ Array($0.values) }) { ride.file.onTrouble(tell) }
    }

    // MARK: - When the ride is over

    /// The trips whose rides are written down.
    var names: Set<TripName> { tapes.names }

    func path(of name: TripName) -> String? { files.withLock { $0[name]?.path } }

    /// The name of a ride's file, to be shown, and its bytes; nil where there is none.
    func weight(of name: TripName) -> RideFile? {
        guard let path = path(of: name), let facts = Files.facts(of: path) else { return nil }
        return RideFile(name: printable(path.split(separator: "/").last.map(String.init) ?? path), bytes: facts.size)
    }

    /// Protects a ride.
    /// - Returns: what became of it, in a sentence.
    func keep(_ name: TripName) -> String {
        files.withLock { files in
            guard let ride = files[name] else { return "The ride was not recorded." }
            if ride.stays { return "Kept already: \(printable(ride.path))" }
            guard let kept = folder?.keep(ride.path) else { return "Not kept: \(printable(ride.path)) cannot be moved." }
            files[name]?.path = kept
            files[name]?.stays = true
            return "Kept: in \(printable(kept.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")))"
        }
    }

    /// Writes a ride for other programs, into new files in the working directory.
    /// - Returns: what became of it, in a sentence.
    @MainActor
    func export(_ name: TripName) async -> String {
        guard let path = path(of: name), let surroundings else { return "The ride was not recorded." }
        do {
            let recorded = try await Self.read(path, surroundings.streams)
            if let failure = recorded.onlyFailure { throw RecordedFile.failure(failure, onlyIn: path) }
            let ride = RideExport(name, updates: await recorded.updates(), places: recorded.scene.placeNames)
            let base = RideFolder.safe(name.trip)
            for (format, ending) in [(RideExport.Format.gpx, "gpx"), (.geoJSON, "geojson")] {
                let file = try RecordingFile("\(surroundings.workingDirectory)/\(base).\(ending)", option: "", in: surroundings)
                guard file.write(String(ride.text(format).dropLast())) else {
                    unlink(file.path)
                    return "Not exported: \(base).\(ending) cannot be written."
                }
            }
            return "Exported: \(base).gpx, .geojson in \(printable(surroundings.workingDirectory))"
        } catch let failure as Failure {
            return "Not exported: \(failure.message)"
        } catch {
            return "Not exported."
        }
    }

    /// Not on the main actor: a recording may be large.
    private static func read(_ path: String, _ streams: StandardStreams) async throws -> RecordedTrip {
        try await Task.detached { try RecordedFile.read(path, streams) }.value
    }
}
