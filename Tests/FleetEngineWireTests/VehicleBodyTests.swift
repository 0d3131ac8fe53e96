import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf
import Testing

@Suite("The body of a vehicle")
struct VehicleBodyTests {
    /// Returns `updateTimestamp` of a vehicle whose position has this time.
    private static func timestamp(seconds: Int64?, nanos: Int32 = 0) throws -> Int64? {
        var vehicle = WireVehicle()
        vehicle.lastLocation.location.latitude = 48.5
        if let seconds {
            vehicle.lastLocation.updateTime.seconds = seconds
            vehicle.lastLocation.updateTime.nanos = nanos
        }
        return try JSONDecoder().decode(Body.self, from: JSONEncoder().encode(VehicleBody(vehicle))).lastLocation.updateTimestamp
    }

    private struct Body: Decodable {
        struct Location: Decodable {
            let updateTimestamp: Int64?
        }
        let lastLocation: Location
    }

    @Test("the time of the position is in milliseconds, and is left out if it is unknown or no real time")
    func time() throws {
        #expect(try Self.timestamp(seconds: 1_935_756_120, nanos: 250_999_999) == 1_935_756_120_250)
        #expect(try Self.timestamp(seconds: nil) == nil)
        for seconds in [Int64.max, .min, -1, 253_402_300_800] { #expect(try Self.timestamp(seconds: seconds) == nil, "\(seconds)") }
        #expect(try Self.timestamp(seconds: 1_935_756_120, nanos: -5) == nil)
    }
}
