import ArgumentParser

/// Vehicle of a token.
struct VehicleOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Vehicle that the token is for.", valueName: "id"), completion: .vehicles)
    var vehicle: String?
}
