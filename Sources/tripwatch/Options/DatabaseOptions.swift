import ArgumentParser

/// The database with a server's trips and vehicles.
struct DatabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Database of 'serve'.", valueName: "file"))
    var database: String?
}
