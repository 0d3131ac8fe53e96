import ArgumentParser

/// Options for the pages that `man` prints, and for the folder to write them to.
struct ManualOptions: ParsableArguments {
    @Flag(help: "Print the names of all pages, one per line.")
    var list = false

    @Option(help: ArgumentHelp("Write all pages into this folder as files.", valueName: "folder"), completion: .directory)
    var directory: String?
}
