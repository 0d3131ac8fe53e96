import ArgumentParser

/// Options for the messages that a command writes in addition to its output.
struct LogOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write a log to this file; '-' is stderr.", valueName: "file"), completion: .file())
    var log: String?

    @Flag(name: .shortAndLong, help: "Same as --log -.")
    var verbose = false

    @Flag(name: .shortAndLong, help: "On stderr, print only errors.")
    var quiet = false

    func validate() throws {
        guard !verbose || log == nil else { throw ValidationError("give only one of --log and --verbose.") }
        guard !verbose || !quiet else { throw ValidationError("give only one of --verbose and --quiet.") }
    }

    /// Path of the log file; nil for no log.
    var file: String? { verbose ? "-" : log }

    /// Whether one of these options was given.
    var isSaid: Bool { file != nil || quiet }
}
