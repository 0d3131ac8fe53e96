import FleetEngine
import Glibc
import LocationSources
import Navigation
import Synchronization
import TripWatchApp

/// Writes a drive to a file, each line whole and at once: a program that is killed loses the last line at most.
final class DriveRecorder: Sendable {
    private let path: String
    private let descriptor: Int32
    private let streams: StandardStreams
    /// Nothing is written behind a line that could not be written whole.
    private let isBroken = Mutex(false)

    /// - Parameter path: a new file, made with mode 0600.
    /// - Throws: `Failure` for a file that exists, and for one that cannot be written.
    init(_ path: String, vehicle: VehicleName, in surroundings: Surroundings) throws(Failure) {
        (self.path, streams) = (path, surroundings.streams)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "it is there already" : String(cString: strerror(errno)).lowercased()
            throw Failure(message: "--record \(printable(path)) cannot be written: \(reason).", exitCode: ExitCodes.failed)
        }
        write(DriveRecording.header(vehicle: vehicle.description, at: surroundings.clock(1).now()))
    }

    deinit { close(descriptor) }

    /// - Parameter time: the driver's clock.
    /// - Returns: takes in what goes into the driver's navigator.
    func onInput(_ time: any TimeSource) -> @Sendable (NavigatorInput) -> Void {
        { [self] input in write(DriveRecording.line(DriveRecording.Entry(input, at: time.now()))) }
    }

    private func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        let trouble: Int32? = isBroken.withLock { isBroken in
            guard !isBroken else { return nil }
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count > 0 {
                    written += count
                } else if errno != EINTR {
                    isBroken = true
                    return errno
                }
            }
            return nil
        }
        guard let trouble else { return }
        streams.say("tripwatch: --record \(printable(path)) ends here: \(String(cString: strerror(trouble)).lowercased()).")
    }
}
