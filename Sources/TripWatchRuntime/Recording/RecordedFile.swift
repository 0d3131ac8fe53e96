import FleetEngine
import FoundationEssentials
import ProgramSurroundings
import TripRecording
import TripWatchWords

/// The recording in a file.
enum RecordedFile {
    /// - Throws: `Failure`, in words.
    static func read(_ file: String, trip: String? = nil, _ streams: StandardStreams) throws(Failure) -> RecordedTrip {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: file), options: .mappedIfSafe)
        } catch {
            throw Failure(message: "\(printable(file)) cannot be read: is it there, and is it a file?", exitCode: ExitCodes.failed)
        }
        do throws(TripRecordingError) {
            return try RecordedTrip(data, matching: trip) { streams.say("tripwatch: \(printable(file)): \($0).") }
        } catch {
            let other = data.prefix(64).firstRange(of: Data(#""tripwatch":"drive""#.utf8)) == nil
            let advice = other ? "" : "; it is a drive: 'tripwatch drive --replay' drives it"
            throw Failure(message: "\(printable(file)): \(error)\(advice)", exitCode: ExitCodes.failed)
        }
    }

    /// That a recording has no answer, with what `follow` would have ended.
    static func failure(_ error: FleetEngineError, onlyIn file: String) -> Failure {
        let code = error.errorClass().exitCode(for: error) ?? ExitCodes.failed
        return Failure(
            message: "\(printable(file)): the recording holds no answer: each call has failed, the last one with \(error.code.name).",
            exitCode: code)
    }
}
