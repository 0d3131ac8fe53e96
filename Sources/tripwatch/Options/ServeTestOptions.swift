import ArgumentParser
import TripWatchOperations

/// Options for a server that is used for tests.
struct ServeTestOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Start with the data in FILE (see --export-on-exit).",
            valueName: "file"), completion: .file())
    var seed: String?

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp("Start with the trips, vehicles and deliveries in a Fleet Engine log.", valueName: "log"), completion: .file())
    var importLog: String?

    @Option(
        help: ArgumentHelp("Start with a day's deliveries from FILE, in Google's last-mile sample format.", valueName: "file"),
        completion: .file())
    var manifest: String?

    @Option(help: ArgumentHelp("Write all trips, vehicles and deliveries to FILE on exit.", valueName: "file"), completion: .file())
    var exportOnExit: String?

    @Option(
        help: ArgumentHelp(
            "Run COMMAND with sh -c while serving; exit with its code.", valueName: "command"))
    var exec: String?

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("Command to run while the server runs, as with --exec.", valueName: "command"))
    var command: [String] = []

    @Flag(
        help: """
            Serve the test controls under /_tripwatch. (default: on with a command, or on loopback without a database; off if tokens \
            are checked)
            """)
    var testHooks = false

    func validate() throws {
        if let exec, exec.allSatisfy(\.isWhitespace) { throw ValidationError("--exec takes a command.") }
        guard exec == nil || command.isEmpty else { throw ValidationError("give only one of --exec and a command after '--'.") }
    }

    /// The shell command that runs while the server runs; nil if no command is given.
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
