import ArgumentParser

/// Which pages `man` prints, and where to.
struct ManualOptions: ParsableArguments {
    @Flag(help: "Print the names of all pages, a line each.")
    var list = false

    @Option(help: ArgumentHelp("Write all pages into this folder as files.", valueName: "folder"))
    var directory: String?
}
