import FleetEngine
import FoundationEssentials
import Geo

// The sample provider's JSON shapes.

struct Place: Codable {
    let latitude: Double
    let longitude: Double

    init(_ coordinate: Coordinate) {
        latitude = coordinate.latitude
        longitude = coordinate.longitude
    }
}

struct NewTripBody: Encodable {
    let pickup: Place
    let dropoff: Place
    let intermediateDestinations: [Place]?
    let tripType: String
}

struct StatusBody: Encodable {
    let status: String
}

struct MessageBody: Decodable {
    let message: String?

    /// What an answer says for people, printable; empty when it says nothing that can be read.
    static func text(_ body: [UInt8]) -> String {
        let message = (try? JSONDecoder().decode(MessageBody.self, from: Data(body)))?.message
        return message.map { ForeignText.redactedLine($0) } ?? ""
    }
}

struct WrappedTripBody: Decodable {
    let trip: TripBody
}

struct TripBody: Decodable {
    let name: String
    let tripStatus: String
    let vehicleId: String?

    func trip(_ address: ProviderBackendClient.Address) throws(ProviderBackendError) -> ProviderTrip {
        guard let name = try? TripName(name) else {
            throw ProviderBackendError(notUnderstood: "its trip has no usable name", address: address)
        }
        return ProviderTrip(
            name: name, status: TripStatus(rawValue: tripStatus) ?? .unknown, vehicleID: vehicleId.flatMap { $0.isEmpty ? nil : $0 })
    }
}
