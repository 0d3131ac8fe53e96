import FleetEngine
import FoundationEssentials
import ProgramSurroundings
import TripRecording
import TripWatchWords

/// Reads the recording in a file.
enum RecordedFile {
    /// Reads the recording of a trip.
    /// - Throws: `Failure` if the file is not the recording of a trip.
    static func read(_ file: String, trip: String? = nil, _ streams: StandardStreams) throws(Failure) -> RecordedTrip {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: file), options: .mappedIfSafe)
        } catch {
            throw Failure(message: "\(printable(file)) cannot be read: check that the file exists.", exitCode: ExitCodes.failed)
        }
        do throws(TripRecordingError) {
            return try RecordedTrip(data, matching: trip) { streams.say("tripwatch: \(printable(file)): \($0).") }
        } catch {
            let other = data.prefix(64).firstRange(of: Data(#""tripwatch":"drive""#.utf8)) == nil
            let advice = other ? "" : "; it is the recording of a drive: use 'tripwatch drive --replay'"
            throw Failure(message: "\(printable(file)): \(error)\(advice)", exitCode: ExitCodes.failed)
        }
    }

    /// Returns the failure for a recording in which no call was answered. The exit code is the same as for `follow`.
    static func failure(_ error: FleetEngineError, onlyIn file: String) -> Failure {
        let code = error.errorClass().exitCode(for: error) ?? ExitCodes.failed
        return Failure(
            message: "\(printable(file)): the recording has no trip, because all calls failed, the last one with \(error.code.name).",
            exitCode: code)
    }
}
