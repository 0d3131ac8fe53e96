public import ArgumentParser
public import FleetEngineAccess
import ProgramSurroundings
import TripWatchOperations
import TripWatchWords

struct TokenKeysCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "List the accounts: role, name, kid, e-mail, kind of key.",
        discussion: """
            An account is a file in the key folder: ROLE.pem or ROLE-NAME.pem with an RSA key in PEM, private or public, or \
            ROLE-NAME.json, a Google service-account key file. ROLE is consumer, driver, server or admin. With --json: an array of objects with \
            role, name, kid, email and private.
            """, subcommands: [NewTokenKeyCommand.self])

    @OptionGroup(title: HelpSection.common) var keys: KeyFolderOptions
    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        try ListKeysRun(folder: keys.keys, isJSON: form.isJSON).perform(in: surroundings)
    }
}

struct NewTokenKeyCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create an account with a new key.",
        discussion: "Fails with exit code 1 if the account already exists.")

    @Argument(help: ArgumentHelp("Role: consumer, driver, server or admin.", valueName: "role"))
    var role: AccountRole

    @OptionGroup(title: HelpSection.common) var account: NewAccountOptions
    @OptionGroup(title: HelpSection.common) var keys: KeyFolderOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions

    private var file: AccountFile? { AccountFile(role: role, suffix: account.name, form: account.google ? .serviceAccount : .pem) }

    func validate() throws {
        guard file != nil else { throw ValidationError("--name takes 1 to 64 letters, digits, dots, - and _.") }
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        guard let file else { return .code(ExitCodes.usage) }
        return try NewKeyRun(folder: keys.keys, file: file).perform(in: surroundings)
    }
}

/// The option for the folder that contains the accounts.
struct KeyFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Folder with the accounts. (default: $XDG_STATE_HOME/tripwatch/keys)", valueName: "dir"), completion: .directory)
    var keys: String?
}

extension AccountRole: ExpressibleByArgument {}
