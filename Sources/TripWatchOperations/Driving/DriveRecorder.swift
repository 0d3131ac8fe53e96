import FleetEngine
import LocationSources
import Navigation
import ProgramSurroundings

/// Records a drive in a file.
final class DriveRecorder: Sendable {
    private let file: RecordingFile

    /// Creates the file of the recording.
    /// - Parameter path: the path of a file that does not exist yet.
    /// - Throws: `Failure` if the file exists or cannot be written.
    init(_ path: String, vehicle: VehicleName, in surroundings: Surroundings) throws(Failure) {
        file = try RecordingFile(path, in: surroundings)
        file.write(DriveRecording.header(vehicle: vehicle.description, at: surroundings.clock(1).now()))
    }

    /// Returns a function that records each input of a driver's navigator.
    /// - Parameter time: the driver's clock.
    func onInput(_ time: any TimeSource) -> @Sendable (NavigatorInput) -> Void {
        { [file] input in file.write(DriveRecording.line(DriveRecording.Entry(input, at: time.now()))) }
    }
}
