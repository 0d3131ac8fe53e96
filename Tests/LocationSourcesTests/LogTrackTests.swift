import FoundationEssentials
import Geo
import Navigation
import Testing
import TripRecording

@testable import LocationSources

@Suite("A Fleet Engine log as a source")
struct LogTrackTests {
    private static func entry(_ vehicle: String, _ second: Int, _ latitude: Double, longitude: Double = 7, raw: String = "") -> String {
        let body =
            #"{"name":"providers/p/vehicles/\#(vehicle)","lastLocation":{"location":{"latitude":\#(latitude),"longitude":\#(longitude)},\#(raw)"updateTime":"2024-02-29T12:00:0\#(second)Z","speed":{"value":5}}}"#
        return
            #"{"timestamp":"2024-02-29T12:00:0\#(second)Z","jsonPayload":{"@type":"type.googleapis.com/maps.fleetengine.v1.UpdateVehicleLog","request":{"vehicleId":"\#(vehicle)","vehicle":\#(body),"updateMask":"lastLocation"},"response":\#(body)}}"#
    }

    private func track(_ entries: [String], vehicle: String, trip: String? = nil) throws -> RecordedTrack {
        try RecordedTrack(FleetEngineLog(Data(entries.joined(separator: "\n").utf8)), vehicle: vehicle, trip: trip)
    }

    @Test("a position at exactly 0,0 is not driven, but counted; if only the raw position is at 0,0, the best one is used")
    func zeroPlace() throws {
        let raw = #""rawLocation":{"latitude":0,"longitude":0},"#
        let entries = [Self.entry("a", 0, 1), Self.entry("a", 2, 0, longitude: 0), Self.entry("a", 4, 1.001, raw: raw)]
        let driven = try track(entries, vehicle: "a")
        #expect(driven.seconds == [0, 4] && driven.coordinates.map(\.latitude) == [1, 1.001])
        #expect(driven.omittedCount == 1)
        let none = LocationFileError.noPlaces("valid position with a time for this vehicle or trip")
        #expect(throws: none) { try track([entries[1]], vehicle: "a") }
    }

    @Test("the vehicle with the id is driven, or else the only one; if there are only several others, none is")
    func choice() throws {
        let entries = [Self.entry("a", 0, 1), Self.entry("b", 1, 50), Self.entry("a", 4, 1.001), Self.entry("a", 2, 1.0005)]
        let own = try track(entries, vehicle: "a")
        #expect(own.seconds == [0, 2, 4] && own.coordinates.map(\.latitude) == [1, 1.0005, 1.001])
        #expect(try track([entries[1]], vehicle: "car-7").coordinates.map(\.latitude) == [50])
        #expect(throws: LocationFileError.notInLog("the log has no vehicle car-7; it has a, b")) { try track(entries, vehicle: "car-7") }
        #expect(throws: LocationFileError.noPlaces("vehicle or trip")) { try track(["{\"a\":1}"], vehicle: "car-7") }
    }
}
