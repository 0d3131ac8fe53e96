import ArgumentParser
import TripWatchOperations

/// What tests, and those who write them, want of a server.
struct ServeTestOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Begin with the trips and vehicles of FILE: {\"version\":1,\"trips\":[…],\"vehicles\":[…]}, as --export-on-exit writes it.",
            valueName: "file"))
    var seed: String?

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp("Begin with what an exported Fleet Engine log describes: what its last entries say.", valueName: "log"))
    var importLog: String?

    @Option(help: ArgumentHelp("Begin with a day's deliveries, in the form of Google's last-mile sample.", valueName: "file"))
    var manifest: String?

    @Option(help: ArgumentHelp("Write all trips, vehicles and deliveries to FILE at the end.", valueName: "file"))
    var exportOnExit: String?

    @Option(
        help: ArgumentHelp(
            """
            Run COMMAND (by sh -c) while the server runs, and end with its code. It finds the addresses in FLEETENGINE_EMULATOR_HOST, \
            TRIPWATCH_ENDPOINT, TRIPWATCH_PLAINTEXT and TRIPWATCH_PROVIDER_URL; TERM, INT and HUP go to it.
            """, valueName: "command"))
    var exec: String?

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("Run this command while the server runs, like --exec.", valueName: "command"))
    var command: [String] = []

    @Flag(
        help: """
            Answer /_tripwatch on the HTTP port: reset, state, faults, clock. On by itself with --exec and with :memory: on this machine's \
            own address, unless tokens are checked.
            """)
    var testHooks = false

    func validate() throws {
        if let exec, exec.allSatisfy(\.isWhitespace) { throw ValidationError("--exec is a command.") }
        guard exec == nil || command.isEmpty else { throw ValidationError("take one of --exec and a command behind --.") }
    }

    /// The shell command that runs while the server runs; nil for none.
    var served: String? {
        guard !command.isEmpty else { return exec }
        return command.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
    }

    var files: ServedFiles {
        var files = ServedFiles()
        files.seed = seed
        files.log = importLog
        files.manifest = manifest
        files.export = exportOnExit
        return files
    }
}
