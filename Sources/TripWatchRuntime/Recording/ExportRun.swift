package import ProgramSurroundings
import TripRecording
package import TripWatchWords

/// Exports a recorded ride to a file that other programs can read.
package struct ExportRun: Sendable {
    /// The path of the recording.
    package var file: String
    /// The name or id of the trip to export, if the recording has several.
    package var trip: String?
    package var format: RideExport.Format

    package init(file: String, trip: String?, format: RideExport.Format) {
        self.file = file
        self.trip = trip
        self.format = format
    }

    @MainActor
    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let recorded = try RecordedFile.read(file, trip: trip, surroundings.streams)
        if let failure = recorded.onlyFailure { throw RecordedFile.failure(failure, onlyIn: file) }
        var ride = RideExport(recorded.name, places: recorded.scene.placeNames)
        await recorded.eachUpdate { ride.observe($0) }
        surroundings.streams.print(String(ride.text(format).dropLast()))
        return .success
    }
}
