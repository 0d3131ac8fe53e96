import FoundationEssentials
import Routing

@testable import LocalFleetEngine

/// A folder for a test's stores, gone when the test ends.
final class StoreFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/store-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/engine.db" }

    /// All files and what is in them.
    var contents: [String: Data] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: path + "/" + $0))) })
        }
    }

    /// The store, and what is in it.
    func open(_ options: EngineOptions = EngineOptions()) throws -> (store: EngineStore, state: FleetEngineState) {
        let store = try EngineStore(path: file)
        let empty = FleetEngineState(options: options, straightLine: StraightLineRouter(speedMetersPerSecond: 10))
        return (store, try store.load(into: empty))
    }

    /// The same, as soon as an engine that was dropped has let go of the file.
    func openWhenFree() async throws -> (store: EngineStore, state: FleetEngineState) {
        while refusal()?.hasSuffix("is in use by another server") == true { await Task.yield() }
        return try open()
    }

    /// The words with which the file is refused; nil if it is not.
    func refusal() -> String? {
        do {
            _ = try open()
            return nil
        } catch { return "\(error)".replacing(path + "/", with: "") }
    }
}

extension EngineStore {
    func write(_ changesOf: FleetEngineState) throws {
        try write(changesOf.changed, lastSerial: changesOf.lastSerial, lastStamp: changesOf.lastStamp)
    }
}
