import FleetEngineAccess
import Logging
package import ProgramSurroundings

/// The keys of a server that checks tokens: accounts and provider API keys, read from files.
package struct ServedKeys: Sendable {
    let folder: KeyFolder
    let deskKey: DeskKeyFile
    private let limitedKeys: LimitedKeys

    /// Creates the keys without reading the files.
    /// - Parameters:
    ///   - folder: the folder of the accounts; nil for the standard folder.
    ///   - deskKeyFile: the file with the provider API key; nil for `desk.key` in the folder.
    package init(folder: String?, deskKeyFile: String?, in surroundings: Surroundings) throws(Failure) {
        self.folder = try KeyFolder(folder, in: surroundings)
        deskKey = DeskKeyFile(path: deskKeyFile ?? self.folder.path + "/" + DeskKeyFile.standardName)
        limitedKeys = LimitedKeys(folder: self.folder.path, fullKeyPath: deskKey.path)
    }

    /// Paths of all files that are read. The keys must be read again when one of these files changes.
    var paths: [String] { folder.paths + [deskKey.path] + limitedKeys.paths }

    /// Creates the access check. If the folder has no account files, creates an account for each role. If the provider API key is missing,
    /// creates it.
    func openGate(_ streams: StandardStreams, log: Logger) throws(Failure) -> AccessGate {
        Secrets.protectMemory()
        var (ring, troubles) = try folder.read()
        for trouble in troubles { streams.say("tripwatch: \(trouble)") }
        if ring.accounts.isEmpty, troubles.isEmpty {
            if try folder.addStandardAccounts() {
                streams.note("tripwatch: created the accounts 'consumer', 'driver', 'server' and 'admin' in \(printable(folder.path)).")
            }
            ring = try folder.read().ring
        }
        if try deskKey.makeIfMissing() { streams.note("tripwatch: created the provider API key: \(printable(deskKey.path)).") }
        let full = try deskKey.readFullKey()
        let (limited, faults) = limitedKeys.read(beside: full)
        for fault in faults + exposure(of: ring) {
            log.warning("\(fault)")
            streams.say("tripwatch: \(fault)")
        }
        return AccessGate(accounts: ring, deskKey: full, limitedKeys: limited)
    }

    /// Replaces the keys of an access check with the current ones. If this throws, the old keys stay in use.
    /// - Returns: a sentence for each invalid file, whose key no longer works, and a warning about key files that every user can read.
    func renew(_ gate: AccessGate) throws(Failure) -> [String] {
        let (ring, troubles) = try folder.read()
        let full = try deskKey.readFullKey()
        let (limited, faults) = limitedKeys.read(beside: full)
        gate.replace(accounts: ring, deskKey: full, limitedKeys: limited)
        return troubles + faults + exposure(of: ring)
    }

    /// Returns a warning about the key files that every user can read; empty if there are no such files.
    private func exposure(of ring: AccountRing) -> [String] {
        SecretFile.warning(of: folder.privatePaths(of: ring) + [deskKey.path] + limitedKeys.paths).map { [$0] } ?? []
    }
}
