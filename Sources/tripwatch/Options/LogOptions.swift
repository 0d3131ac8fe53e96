import ArgumentParser

/// What a command says besides its output.
struct LogOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write a log, one line per event; - is stderr.", valueName: "file"))
    var log: String?

    @Flag(name: .shortAndLong, help: "Same as --log -.")
    var verbose = false

    @Flag(name: .shortAndLong, help: "Print nothing on stderr but errors.")
    var quiet = false

    func validate() throws {
        guard !verbose || log == nil else { throw ValidationError("take one of --log and --verbose.") }
        guard !verbose || !quiet else { throw ValidationError("take one of --verbose and --quiet.") }
    }

    /// Where the log goes; nil for none.
    var file: String? { verbose ? "-" : log }

    /// Whether one of these options was given.
    var isSaid: Bool { file != nil || quiet }
}
