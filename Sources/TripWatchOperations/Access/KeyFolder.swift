import Files
import FleetEngineAccess
import FoundationEssentials
import Glibc
package import ProgramSurroundings
import TripWatchWords

/// The folder of accounts: a file each, `ROLE[-NAME].pem` or `ROLE[-NAME].json`.
package struct KeyFolder: Sendable {
    private static let largestFileKiB = 64
    /// So many accounts are read, the first by name.
    private static let mostAccounts = 1_000

    package let path: String

    /// - Parameter path: nil for `$XDG_STATE_HOME/tripwatch/keys`.
    /// - Throws: `Failure` where there is no home to look in.
    package init(_ path: String?, in surroundings: Surroundings) throws(Failure) {
        if let path {
            self.path = path
        } else if let state = StateFolder.path(environment: surroundings.environment) {
            self.path = state + "/keys"
        } else {
            throw Failure(message: "there is no home for the keys: say --keys DIR.", exitCode: ExitCodes.failed)
        }
    }

    /// Makes an account of each role with a new key where there is no account: all of them or none, whatever ends the program meanwhile.
    ///
    /// - Returns: whether it did; another program may have been faster.
    func addStandardAccounts() throws(Failure) -> Bool {
        try make()
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SecretFile.failure(path, .last) }
        defer { close(folder) }
        // Until the folder is closed the others wait, and find the accounts then.
        try? Files.waitForLock(folder)
        guard try files().isEmpty else { return false }
        // A program that was killed has left it.
        try? FileManager.default.removeItem(atPath: draftPath)
        guard mkdir(draftPath, 0o700) == 0 else { throw SecretFile.failure(draftPath, .last) }
        defer { try? FileManager.default.removeItem(atPath: draftPath) }
        for file in AccountRole.allCases.compactMap({ AccountFile(role: $0, suffix: nil, form: .pem) }) {
            let path = draftPath + "/" + file.fileName
            let bytes = try made(file).bytes
            do throws(SystemError) { try Files.make(path, bytes) } catch { throw SecretFile.failure(path, error) }
        }
        // From here on they are there, and whoever reads the folder puts them in their places.
        guard rename(draftPath, finishedPath) == 0 else { throw SecretFile.failure(finishedPath, .last) }
        placeStandardAccounts()
        return true
    }

    /// Where the accounts of the first start are until all of them are written, and then until they are in their places.
    private var draftPath: String { path + "/.accounts.draft" }
    private var finishedPath: String { path + "/.accounts" }

    /// Gives accounts that were made as a whole their places; one of that name that is there stays.
    private func placeStandardAccounts() {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: finishedPath) else { return }
        for name in names where link(finishedPath + "/" + name, path + "/" + name) == 0 || errno == EEXIST {
            unlink(finishedPath + "/" + name)
        }
        rmdir(finishedPath)
    }

    /// The accounts, and a sentence for each file that should be one and is none. A folder that is not there has none.
    /// - Throws: `Failure` for a folder that cannot be read.
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

    /// Paths of all files of accounts; none where the folder cannot be read.
    var paths: [String] { ((try? files()) ?? []).map { path + "/" + $0.fileName } }

    private func files() throws(Failure) -> [AccountFile] {
        placeStandardAccounts()
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            throw Failure(message: "the keys in \(printable(path)) cannot be read.", exitCode: ExitCodes.failed)
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

    /// Makes an account with a new key.
    /// - Throws: `Failure` where one of that name is there already, which stays as it is, and for a file that cannot be written.
    func add(_ file: AccountFile) throws(Failure) -> Account {
        try make()
        // One name is one account, whatever the form of its file.
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
        Failure(message: "there is an account \(printable(name)) in \(printable(path)) already.", exitCode: ExitCodes.failed)
    }

    private func make() throws(Failure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(message: "the folder \(printable(path)) cannot be made.", exitCode: ExitCodes.failed)
        }
    }
}
