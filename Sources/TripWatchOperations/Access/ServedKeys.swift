import FleetEngineAccess
import Logging
package import ProgramSurroundings

/// The keys of a server that checks tokens: accounts and the keys of the provider API, as their files say.
package struct ServedKeys: Sendable {
    let folder: KeyFolder
    let deskKey: DeskKeyFile
    private let limitedKeys: LimitedKeys

    /// - Parameters:
    ///   - folder: nil for the standard one.
    ///   - deskKeyFile: nil for `desk.key` in the folder.
    package init(folder: String?, deskKeyFile: String?, in surroundings: Surroundings) throws(Failure) {
        self.folder = try KeyFolder(folder, in: surroundings)
        deskKey = DeskKeyFile(path: deskKeyFile ?? self.folder.path + "/" + DeskKeyFile.standardName)
        limitedKeys = LimitedKeys(folder: self.folder.path, fullKeyPath: deskKey.path)
    }

    /// Everything that is read: a change of one is a change of the keys.
    var paths: [String] { folder.paths + [deskKey.path] + limitedKeys.paths }

    /// A gate with these keys. Where there are no accounts, one of each role is made, and so is a key of the desk.
    func openGate(_ streams: StandardStreams, log: Logger) throws(Failure) -> AccessGate {
        Secrets.protectMemory()
        var (ring, troubles) = try folder.read()
        for trouble in troubles { streams.say(trouble) }
        if ring.accounts.isEmpty, troubles.isEmpty {
            if try folder.addStandardAccounts() {
                streams.note("Made the accounts consumer, driver, server and admin in \(printable(folder.path)).")
            }
            ring = try folder.read().ring
        }
        if try deskKey.makeIfMissing() { streams.note("Made the desk's key: \(printable(deskKey.path)).") }
        let full = try deskKey.readFullKey()
        let (limited, faults) = limitedKeys.read(beside: full)
        for fault in faults {
            log.warning("\(fault)")
            streams.say(fault)
        }
        return AccessGate(accounts: ring, deskKey: full, limitedKeys: limited)
    }

    /// Gives a gate the keys as they are now; what cannot be read leaves it as it is.
    /// - Returns: what is wrong, a sentence each.
    func renew(_ gate: AccessGate) throws(Failure) -> [String] {
        let (ring, troubles) = try folder.read()
        let full = try deskKey.readFullKey()
        let (limited, faults) = limitedKeys.read(beside: full)
        gate.replace(accounts: ring, deskKey: full, limitedKeys: limited)
        return troubles + faults
    }
}
