import Files
import FleetEngineAccess
import FoundationEssentials
import Glibc
package import ProgramSurroundings
import TripWatchWords

/// The folder of accounts, with one file per account: `ROLE[-NAME].pem` or `ROLE[-NAME].json`.
package struct KeyFolder: Sendable {
    private static let largestFileKiB = 64
    /// Maximum number of accounts. If the folder has more, only the first ones by name are used.
    private static let mostAccounts = 1_000

    package let path: String

    /// Creates a key folder.
    /// - Parameter path: the path of the folder; nil for `$XDG_STATE_HOME/tripwatch/keys`.
    /// - Throws: `Failure` if there is no home directory.
    package init(_ path: String?, in surroundings: Surroundings) throws(Failure) {
        if let path {
            self.path = path
        } else if let state = StateFolder.path(environment: surroundings.environment) {
            self.path = state + "/keys"
        } else {
            throw Failure(
                message: "the key folder is unknown, because HOME is not set: give --keys DIR.", exitCode: ExitCodes.failed)
        }
    }

    /// Creates an account with a new key for each role, if the folder has no accounts. If the program is killed, it has created all
    /// accounts or none.
    ///
    /// - Returns: whether accounts were created; another program may have created them first.
    func addStandardAccounts() throws(Failure) -> Bool {
        try make()
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SecretFile.failure(path, .last) }
        defer { close(folder) }
        // Other programs wait until this descriptor is closed. Then they find the accounts.
        try? Files.waitForLock(folder)
        guard try files().isEmpty else { return false }
        // A program that was killed may have left a draft folder.
        try? FileManager.default.removeItem(atPath: draftPath)
        guard mkdir(draftPath, 0o700) == 0 else { throw SecretFile.failure(draftPath, .last) }
        defer { try? FileManager.default.removeItem(atPath: draftPath) }
        for file in AccountRole.allCases.compactMap({ AccountFile(role: $0, suffix: nil, form: .pem) }) {
            let path = draftPath + "/" + file.fileName
            let bytes = try made(file).bytes
            do throws(SystemError) { try Files.make(path, bytes) } catch { throw SecretFile.failure(path, error) }
        }
        // This renaming creates the accounts. If the program is killed before it has moved them to their final paths, the next run moves
        // them.
        guard rename(draftPath, finishedPath) == 0 else { throw SecretFile.failure(finishedPath, .last) }
        placeStandardAccounts()
        return true
    }

    /// The folder in which the first accounts are written. It is renamed to `finishedPath` when all are complete.
    private var draftPath: String { path + "/.accounts.draft" }
    private var finishedPath: String { path + "/.accounts" }

    /// Moves finished accounts to their final paths. An existing account of the same name is kept.
    private func placeStandardAccounts() {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: finishedPath) else { return }
        for name in names where link(finishedPath + "/" + name, path + "/" + name) == 0 || errno == EEXIST {
            unlink(finishedPath + "/" + name)
        }
        rmdir(finishedPath)
    }

    /// Reads the accounts, and returns a sentence for each invalid file. A missing folder has no accounts.
    /// - Throws: `Failure` if the folder cannot be read.
    func read() throws(Failure) -> (ring: AccountRing, troubles: [String]) {
        var accounts: [Account] = []
        var troubles: [String] = []
        for file in try files() {
            do throws(AccountError) {
                accounts.append(try Account(file, bytes: try bytes(file)))
            } catch {
                troubles.append("\(printable(path + "/" + file.fileName)) \(error).")
            }
        }
        return (AccountRing(accounts), troubles)
    }

    /// Paths of all account files; empty if the folder cannot be read.
    var paths: [String] { ((try? files()) ?? []).map { path + "/" + $0.fileName } }

    /// Paths of the files with the private keys of these accounts.
    func privatePaths(of ring: AccountRing) -> [String] {
        let names = Set(ring.accounts.filter(\.canSign).map(\.name))
        return ((try? files()) ?? []).filter { names.contains($0.name) }.map { path + "/" + $0.fileName }
    }

    private func files() throws(Failure) -> [AccountFile] {
        placeStandardAccounts()
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            throw Failure(
                message: "the keys in \(printable(path)) cannot be read: check the folder's permissions.", exitCode: ExitCodes.failed)
        }
        return Array(names.compactMap(AccountFile.init).sorted { $0.fileName < $1.fileName }.prefix(Self.mostAccounts))
    }

    private func bytes(_ file: AccountFile) throws(AccountError) -> [UInt8] {
        do throws(SmallFile.Trouble) {
            return try SmallFile.bytes(path: path + "/" + file.fileName, limit: Self.largestFileKiB << 10)
        } catch {
            throw AccountError(description: error.words(limitKiB: Self.largestFileKiB))
        }
    }

    /// Creates an account with a new key.
    /// - Throws: `Failure` if the account already exists (it is then unchanged), or if the file cannot be written.
    func add(_ file: AccountFile) throws(Failure) -> Account {
        try make()
        // Account names are unique across both file formats.
        for form in AccountFile.Form.allCases where FileManager.default.fileExists(atPath: "\(path)/\(file.name).\(form.rawValue)") {
            throw taken(file.name)
        }
        let (account, bytes) = try made(file)
        guard try SecretFile.create(path + "/" + file.fileName, bytes) else { throw taken(file.name) }
        return account
    }

    private func made(_ file: AccountFile) throws(Failure) -> (account: Account, bytes: [UInt8]) {
        do throws(AccountError) { return try Account.make(file) } catch {
            throw Failure(message: "\(file.name): \(error).", exitCode: ExitCodes.failed)
        }
    }

    private func taken(_ name: String) -> Failure {
        Failure(
            message: "the account \(printable(name)) already exists in \(printable(path)): choose another --name.",
            exitCode: ExitCodes.failed)
    }

    private func make() throws(Failure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(message: "the folder \(printable(path)) cannot be created: give another --keys DIR.", exitCode: ExitCodes.failed)
        }
    }
}
