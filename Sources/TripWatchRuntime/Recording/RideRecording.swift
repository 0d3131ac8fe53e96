import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
import Synchronization
import TripRecording
import TripWatchApp

/// The rides that are written down while they are followed.
final class RideRecording: Sendable {
    private let tapes = TripTapes()
    private let files = Mutex<[TripName: Ride]>([:])
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

    init(folder: RideFolder? = nil, in surroundings: Surroundings? = nil) { (self.folder, self.surroundings) = (folder, surroundings) }

    /// Writes a trip into a new file.
    /// - Parameters:
    ///   - time: the clock by which it is followed.
    ///   - stays: it is not swept away.
    func add(_ name: TripName, to file: RecordingFile, time: any TimeSource, stays: Bool = true) {
        files.withLock { $0[name] = Ride(file: file, path: file.path, stays: stays) }
        tapes.add(TripTape(trip: name, clock: { time.now() }) { file.write($0) })
    }

    /// Writes a trip into the folder of rides, if it can be.
    func add(_ name: TripName, time: any TimeSource) {
        guard let surroundings, let file = folder?.file(for: name, at: time.now(), in: surroundings) else { return }
        add(name, to: file, time: time, stays: false)
    }

    /// For the client that asks for the trips.
    var onAnswer: @Sendable (ReceivedAnswer) -> Void {
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
        for ride in files.withLock({ Array($0.values) }) { ride.file.onTrouble(tell) }
    }

    // MARK: - When the ride is over

    var isEmpty: Bool { files.withLock { $0.isEmpty } }

    func path(of name: TripName) -> String? { files.withLock { $0[name]?.path } }

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
        do throws(Failure) {
            let recorded = try ReplayRun.read(path, surroundings.streams)
            let ride = RideExport(name, updates: await recorded.updates())
            let base = RideFolder.safe(name.trip)
            for (format, ending) in [(RideExport.Format.gpx, "gpx"), (.geoJSON, "geojson")] {
                let file = try RecordingFile("\(surroundings.workingDirectory)/\(base).\(ending)", option: "", in: surroundings)
                file.write(String(ride.text(format).dropLast()))
            }
            return "Exported: \(base).gpx, .geojson"
        } catch {
            return "Not exported: \(error.message)"
        }
    }
}
