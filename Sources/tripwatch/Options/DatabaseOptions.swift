import ArgumentParser

/// The file of a server's trips and vehicles.
struct DatabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The database of serve.", valueName: "file"))
    var database: String?
}
