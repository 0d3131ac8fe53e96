import Files
import FleetEngine
package import ProgramSurroundings
import TripRecording
import TripWatchWords

/// Reads the recording in a file.
package enum RecordedFile {
    /// Reads the recording of a trip. If the file has several trips and none was chosen, says which one is read.
    /// - Throws: `Failure` if the file cannot be read, is not the recording of a trip, or does not have the trip `trip`.
    static func read(_ file: String, trip: String? = nil, _ streams: StandardStreams) throws(Failure) -> RecordedTrip {
        let note = ReadingNote(file, streams)
        defer { note.end() }
        let bytes = try bytes(of: file)
        let isDrive = String(decoding: bytes.prefix(64), as: UTF8.self).contains(#""tripwatch":"drive""#)
        do throws(TripRecordingError) {
            let recorded = try RecordedTrip(bytes: bytes, matching: trip) {
                note.end()
                streams.say("tripwatch: \(printable(file)): \($0).")
            }
            note.end()
            if trip == nil, recorded.tripCountInFile > 1 {
                streams.note(
                    "tripwatch: \(printable(file)) has \(recorded.tripCountInFile) trips; this is \(printable(recorded.name.trip)). "
                        + "--trip chooses another.")
            }
            return recorded
        } catch {
            let advice = isDrive ? "; it is the recording of a drive: use 'tripwatch drive --vehicle ID --replay FILE'" : ""
            throw Failure(message: "\(printable(file)): \(error)\(advice)", exitCode: ExitCodes.failed)
        }
    }

    /// Reads the recording of a shipment. Returns nil for a file that cannot be read, or that is not such a recording.
    /// - Throws: `Failure` for a damaged recording.
    static func shipment(_ file: String) throws(Failure) -> RecordedShipment? {
        guard let bytes = try? bytes(of: file) else { return nil }
        do throws(TripRecordingError) {
            return try RecordedShipment(bytes: bytes)
        } catch {
            throw Failure(message: "\(printable(file)): \(error)", exitCode: ExitCodes.failed)
        }
    }

    /// Reads the bytes of a recording or a log.
    package static func bytes(of file: String) throws(Failure) -> [UInt8] {
        do throws(SmallFile.Trouble) {
            return try SmallFile.bytes(path: file, limit: FleetEngineLog.maximumBytes)
        } catch {
            let limitKiB = FleetEngineLog.maximumBytes >> 10
            let words = error == .missing ? "cannot be read: check that the file exists" : error.words(limitKiB: limitKiB)
            throw Failure(message: "\(printable(file)) \(words).", exitCode: ExitCodes.failed)
        }
    }

    /// Returns the failure for a recording in which no call was answered. The exit code is the same as for `follow`.
    static func failure(_ error: FleetEngineError, onlyIn file: String) -> Failure {
        let code = error.errorClass().exitCode(for: error) ?? ExitCodes.failed
        return Failure(
            message: "\(printable(file)): the recording has no trip, because every call in it failed (the last with \(error.code.name)).",
            exitCode: code)
    }
}
