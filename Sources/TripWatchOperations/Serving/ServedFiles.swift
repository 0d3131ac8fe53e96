import Files
import FleetEngine
import FleetEngineCore
import FleetEngineSnapshot
import FoundationEssentials
import Glibc
import LocalFleetEngine
import ProgramSurroundings
import TripRecording
import TripWatchWords

/// The files that a server imports when it starts and exports when it ends.
package struct ServedFiles: Sendable {
    /// Path of a snapshot to import.
    package var seed: String?
    /// Path of an exported log to import.
    package var log: String?
    /// Path of a plan with a day's deliveries to import.
    package var manifest: String?
    /// The id of the provider to which the plan belongs.
    package var provider = "demo"
    /// The path of the snapshot to write at the end; nil to write none.
    package var export: String?

    package init() {}

    /// A snapshot to import, and its file.
    struct Beginning: Sendable {
        let file: String
        let snapshot: FleetSnapshot
        /// Whether required values of a snapshot may be missing, as in a log.
        var isPartial = false
        /// Whether the engine's existing tasks and delivery vehicles are kept, so that a plan's deliveries continue after a restart.
        var keepsDeliveries = false
        /// The plan from which the snapshot was made; nil if the snapshot was not made from a plan.
        var manifest: DeliveryManifest?
    }

    /// Reads the files to import, and checks that the export can be written.
    /// - Throws: `Failure` with the file and the reason.
    func read(_ streams: StandardStreams) throws(Failure) -> [Beginning] {
        if let export { try Self.checkFolder(of: export) }
        var beginnings: [Beginning] = []
        if let seed {
            let bytes = try Self.unpacked(try Self.bytes(of: seed, limit: FleetSnapshot.maximumBytes), of: seed)
            do throws(FleetEngineError) {
                beginnings.append(Beginning(file: seed, snapshot: try FleetSnapshot(json: bytes)))
            } catch {
                throw Self.failure(seed, error.message)
            }
        }
        if let log { beginnings.append(try readLog(log, streams)) }
        if let manifest { beginnings.append(try readManifest(manifest)) }
        return beginnings
    }

    private func readLog(_ file: String, _ streams: StandardStreams) throws(Failure) -> Beginning {
        let bytes = try Self.bytes(of: file, limit: FleetEngineLog.maximumBytes)
        let log: FleetEngineLog
        do throws(TripRecordingError) { log = try FleetEngineLog(bytes: bytes) } catch { throw Self.failure(file, "\(error)") }
        guard !log.lacksCalls else {
            throw Self.failure(file, "it has no usable Fleet Engine log entry about a trip, a vehicle or a delivery")
        }
        if let lack = log.lack { streams.say("tripwatch: \(printable(file)): \(lack).") }
        let fleet = log.fleet
        let snapshot = FleetSnapshot(
            trips: fleet.trips, vehicles: fleet.vehicles, tasks: fleet.tasks, deliveryVehicles: fleet.deliveryVehicles)
        return Beginning(file: file, snapshot: snapshot, isPartial: true)
    }

    private func readManifest(_ file: String) throws(Failure) -> Beginning {
        let bytes = try Self.bytes(of: file, limit: FleetSnapshot.maximumBytes)
        do throws(FleetEngineError) {
            let manifest = try DeliveryManifest(json: bytes, provider: provider)
            return Beginning(file: file, snapshot: manifest.snapshot, keepsDeliveries: true, manifest: manifest)
        } catch {
            throw Self.failure(file, error.message)
        }
    }

    /// Loads the imported snapshots into an engine and its provider API.
    static func load(_ beginnings: [Beginning], into servers: LocalServers) async throws(Failure) {
        for beginning in beginnings {
            do throws(FleetEngineError) {
                try await servers.engine.load(
                    beginning.snapshot, isPartial: beginning.isPartial, keepsDeliveries: beginning.keepsDeliveries)
            } catch {
                throw failure(beginning.file, beginning.manifest?.words(error) ?? error.message)
            }
            if let manifest = beginning.manifest { servers.deliveries.begin(with: manifest) }
        }
        await servers.engine.noteStart()
    }

    /// Exports a server's trips and vehicles. Writes the whole file or nothing. Only the owner can read a new file, because trips show
    /// where people go.
    func write(_ engine: LocalFleetEngine) async throws(Failure) {
        guard let export else { return }
        let bytes: [UInt8]
        do {
            bytes = Array(try await engine.export().json)
        } catch {
            throw Self.failure(export, "the file cannot be written")
        }
        let target = Files.resolved(export)
        do throws(SystemError) {
            try Files.replace(target, with: bytes, mode: Files.mode(of: target) ?? 0o600)
        } catch {
            throw Self.failure(export, "the file cannot be written")
        }
    }

    private static func checkFolder(of file: String) throws(Failure) {
        let url = URL(filePath: file)
        let folder = url.deletingLastPathComponent().path
        guard access(folder.isEmpty ? "." : folder, W_OK | X_OK) == 0 else {
            let isMissing = [ENOENT, ENOTDIR].contains(SystemError.last.code)
            throw failure(
                file, "the file cannot be written: " + (isMissing ? "its folder does not exist" : "check the permissions of its folder"))
        }
        guard Files.isReplaceable(file) else { throw failure(file, "the file cannot be written: it is not a regular file") }
    }

    private static func bytes(of file: String, limit: Int) throws(Failure) -> [UInt8] {
        do throws(SmallFile.Trouble) {
            return try SmallFile.bytes(path: file, limit: limit)
        } catch {
            throw Failure(message: "\(printable(file)) \(error.words(limitKiB: limit >> 10)).", exitCode: ExitCodes.failed)
        }
    }

    private static func unpacked(_ bytes: [UInt8], of file: String) throws(Failure) -> [UInt8] {
        do throws(GzipText.Fault) {
            return try GzipText.plain(bytes, limit: FleetSnapshot.maximumBytes)
        } catch {
            let words =
                error == .damaged ? "its gzip data is damaged" : "its decoded data has more than \(FleetSnapshot.maximumBytes) bytes"
            throw failure(file, words)
        }
    }

    private static func failure(_ file: String, _ words: String) -> Failure {
        Failure(message: "\(printable(file)): \(words).", exitCode: ExitCodes.failed)
    }
}
