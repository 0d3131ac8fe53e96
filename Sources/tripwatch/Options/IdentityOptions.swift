import ArgumentParser
import FleetEngine

/// Options for the details by which riders recognise a car.
struct IdentityOptions: ParsableArguments {
    /// Maximum length of a value, in characters. The screen shows no more.
    private static let mostCharacters = 48

    @Option(help: ArgumentHelp("Number plate that riders see.", valueName: "text"))
    var plate: String?

    @Option(help: ArgumentHelp("Colour of the car.", valueName: "text"))
    var color: String?

    @Option(help: ArgumentHelp("Make and model of the car.", valueName: "text"))
    var model: String?

    @Option(help: ArgumentHelp("Name of the driver.", valueName: "text"))
    var driver: String?

    func validate() throws {
        for (key, text) in identity.attributes.sorted(by: { $0.key < $1.key }) where !(1...Self.mostCharacters).contains(text.count) {
            throw ValidationError("--\(key) must have 1 to \(Self.mostCharacters) characters.")
        }
    }

    /// Whether one of these options was given.
    var isSaid: Bool { !identity.attributes.isEmpty }

    var identity: VehicleIdentity { VehicleIdentity(plate: plate, color: color, model: model, driver: driver) }
}
