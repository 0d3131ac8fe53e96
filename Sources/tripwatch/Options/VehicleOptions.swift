import ArgumentParser

/// The option for the vehicle that a token is for.
struct VehicleOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Vehicle that the token is for.", valueName: "id"), completion: .vehicles)
    var vehicle: String?
}
