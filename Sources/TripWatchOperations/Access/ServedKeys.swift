import FleetEngineAccess
import Logging
package import ProgramSurroundings

/// The keys of a server that checks tokens: accounts and provider API keys, read from files.
package struct ServedKeys: Sendable {
    let folder: KeyFolder
    let deskKey: DeskKeyFile
    private let limitedKeys: LimitedKeys

    /// - Parameters:
    ///   - folder: nil for the standard folder.
    ///   - deskKeyFile: nil for `desk.key` in the folder.
    package init(folder: String?, deskKeyFile: String?, in surroundings: Surroundings) throws(Failure) {
        self.folder = try KeyFolder(folder, in: surroundings)
        deskKey = DeskKeyFile(path: deskKeyFile ?? self.folder.path + "/" + DeskKeyFile.standardName)
        limitedKeys = LimitedKeys(folder: self.folder.path, fullKeyPath: deskKey.path)
    }

    /// Paths of all files that are read; a change in any of them is a change of the keys.
    var paths: [String] { folder.paths + [deskKey.path] + limitedKeys.paths }

    /// Opens a gate with these keys. Creates an account for each role if there are no accounts, and the provider API key if it is missing.
    func openGate(_ streams: StandardStreams, log: Logger) throws(Failure) -> AccessGate {
        Secrets.protectMemory()
        var (ring, troubles) = try folder.read()
        for trouble in troubles { streams.say(trouble) }
        if ring.accounts.isEmpty, troubles.isEmpty {
            if try folder.addStandardAccounts() {
                streams.note("Created the accounts consumer, driver, server and admin in \(printable(folder.path)).")
            }
            ring = try folder.read().ring
        }
        if try deskKey.makeIfMissing() { streams.note("Created the provider API key: \(printable(deskKey.path)).") }
        let full = try deskKey.readFullKey()
        let (limited, faults) = limitedKeys.read(beside: full)
        for fault in faults {
            log.warning("\(fault)")
            streams.say(fault)
        }
        return AccessGate(accounts: ring, deskKey: full, limitedKeys: limited)
    }

    /// Replaces the keys of a gate by the current ones. If this throws, all keys stay as they were.
    /// - Returns: a sentence for each file that is not valid, and whose key no longer works.
    func renew(_ gate: AccessGate) throws(Failure) -> [String] {
        let (ring, troubles) = try folder.read()
        let full = try deskKey.readFullKey()
        let (limited, faults) = limitedKeys.read(beside: full)
        gate.replace(accounts: ring, deskKey: full, limitedKeys: limited)
        return troubles + faults
    }
}
