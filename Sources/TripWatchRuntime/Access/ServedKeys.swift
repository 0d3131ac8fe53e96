import FleetEngineAccess
import Logging
import TripWatchApp

/// The keys of a server that checks tokens: accounts and the desk's key, as their files say.
package struct ServedKeys: Sendable {
    let folder: KeyFolder
    let deskKey: DeskKeyFile

    /// - Parameters:
    ///   - folder: nil for the standard one.
    ///   - deskKeyFile: nil for `desk.key` in the folder.
    package init(folder: String?, deskKeyFile: String?, in surroundings: Surroundings) throws(Failure) {
        self.folder = try KeyFolder(folder, in: surroundings)
        deskKey = DeskKeyFile(path: deskKeyFile ?? self.folder.path + "/" + DeskKeyFile.standardName)
    }

    /// Everything that is read: a change of one is a change of the keys.
    var paths: [String] { folder.paths + [deskKey.path] }

    /// A gate with these keys. Where there are no accounts, one of each role is made, and so is a key of the desk.
    func openGate(_ streams: StandardStreams) throws(Failure) -> AccessGate {
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
        return AccessGate(accounts: ring, deskKey: try deskKey.read())
    }

    /// Gives a gate the keys as they are now; what cannot be read leaves it as it is.
    /// - Returns: what is wrong, a sentence each.
    func renew(_ gate: AccessGate) throws(Failure) -> [String] {
        let (ring, troubles) = try folder.read()
        gate.replace(accounts: ring, deskKey: try deskKey.read())
        return troubles
    }
}
