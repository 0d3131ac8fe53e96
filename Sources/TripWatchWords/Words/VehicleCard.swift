package import FleetEngine
import TerminalCanvas

/// The details by which a rider recognises the car, taken only from the server and the trip.
package struct VehicleCard: Hashable, Sendable {
    /// The number plate; empty while unknown.
    package var plate = ""
    /// The description of the car, such as `teal Fabia ∙ taxi`; empty while unknown.
    package var looks = ""
    package var driver = ""
    /// The bare vehicle id.
    package var id: String

    /// - Parameters:
    ///   - vehicle: the answer to GetVehicle, if the server gave one.
    ///   - attributes: attributes of the trip, which take precedence over those of the vehicle.
    package init(id: String, vehicle: Vehicle? = nil, attributes: [String: String] = [:]) {
        self.id = sanitised(id, maximumLength: 64)
        func value(_ attribute: ReadAttribute) -> String {
            let text = attribute.text(in: attributes) ?? vehicle.flatMap { attribute.text(in: $0.attributes) }
            return text.map { sanitised($0, maximumLength: 48) } ?? ""
        }
        plate = value(.plate)
        driver = value(.driver)
        let name = [value(.color), value(.make), value(.model)].filter { !$0.isEmpty }.joined(separator: " ")
        looks = [name, Self.word(vehicle?.category)].filter { !$0.isEmpty }.joined(separator: " ∙ ")
        if plate.isEmpty, let last = vehicle?.licensePlateLastCharacter, !last.isEmpty {
            looks += (looks.isEmpty ? "" : " ∙ ") + "plate ends in " + sanitised(last, maximumLength: 4)
        }
    }

    /// Whether the plate or the description is known.
    package var isKnown: Bool { !plate.isEmpty || !looks.isEmpty }

    /// The car on one line: `KVX 204 teal Fabia, taxi`. Unknown values are left out, and the id replaces an unknown plate.
    package var line: String {
        let name = plate.isEmpty ? id : plate
        return looks.isEmpty ? name : "\(name) \(looks.replacing(" ∙", with: ","))"
    }

    /// The plate with spaces between its characters: `K V X  2 0 4`. A rider can compare it with a distant plate more easily.
    package var spacedPlate: String { plate.map { $0 == " " ? "" : String($0) }.joined(separator: " ") }

    private static func word(_ category: VehicleCategory?) -> String {
        switch category {
        case .taxi: "taxi"
        case .truck: "truck"
        case .twoWheeler: "two-wheeler"
        case .bicycle: "bicycle"
        case .pedestrian: "on foot"
        case .auto, .unknown, nil: ""
        }
    }
}
