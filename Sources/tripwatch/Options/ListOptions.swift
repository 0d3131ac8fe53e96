import ArgumentParser

/// What `list` lists or removes.
struct ListOptions: ParsableArguments {
    @Flag(help: "List the rides recorded here; 'replay NAME' plays one.")
    var rides = false

    @Option(help: ArgumentHelp("Remove a trip from the list.", valueName: "trip"), completion: .knownTrips)
    var forget: String?
}
