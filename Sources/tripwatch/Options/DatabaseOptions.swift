import ArgumentParser

/// The option for the database with a server's trips and vehicles.
struct DatabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Database of 'serve'.", valueName: "file"), completion: .file())
    var database: String?
}
