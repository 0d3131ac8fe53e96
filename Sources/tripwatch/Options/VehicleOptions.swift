import ArgumentParser

/// The vehicle of a token.
struct VehicleOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The vehicle that the token is for.", valueName: "id"), completion: .vehicles)
    var vehicle: String?
}
