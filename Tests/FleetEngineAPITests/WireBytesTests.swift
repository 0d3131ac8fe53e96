import FleetEngineAPI
import SwiftProtobuf
import Testing

@Suite("Bytes of the wire")
struct WireBytesTests {
    private func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }

    @Test("a trip that Google's client wrote is read, and written again to the same bytes")
    func trip() throws {
        let original = bytes(GoogleBytes.trip)
        let trip = try WireTrip(serializedBytes: original)
        #expect(trip.name == "providers/demo/trips/made-up-ride")
        #expect(trip.tripStatus == .enrouteToPickup)
        #expect(trip.tripType == .shared)
        #expect(trip.route.map(\.latitude) == [-36.0, -36.005])
        #expect(trip.lastLocation.heading.value == 271)
        #expect(trip.lastLocation.speed.value == 8.25)
        #expect(trip.remainingDistanceMeters.value == 1_804)
        #expect(trip.remainingWaypoints.map(\.tripID) == ["another-ride", "made-up-ride"])
        #expect(trip.remainingWaypoints.first?.duration.nanos == 500_000_000)
        #expect(trip.remainingWaypoints.last?.trafficToWaypoint.speedReadingInterval.first?.speed == .trafficJam)
        #expect(trip.currentRouteSegmentVersion.nanos == 123_456_000)
        #expect(trip.remainingTimeToFirstWaypoint.seconds == 347)
        #expect(trip.view == .journeySharingV1S)
        #expect(trip.attributes.map(\.key) == ["plate", "pooled", "score"])
        #expect(trip.unknownFields.data.isEmpty)
        #expect(try trip.serializedBytes() as [UInt8] == original)
    }

    @Test("requests that Google's client wrote are read, and written again to the same bytes")
    func requests() throws {
        let update = try WireUpdateVehicleRequest(serializedBytes: bytes(GoogleBytes.updateVehicle))
        #expect(update.updateMask.paths == ["vehicle_state", "remaining_time_seconds"])
        #expect(update.vehicle.navigationStatus == .offRoute)
        #expect(update.vehicle.currentRouteSegmentTraffic.trafficRendering.roadStretch.first?.lengthMeters == 260)
        #expect(update.header.sdkType == .driver)
        #expect(try update.serializedBytes() as [UInt8] == bytes(GoogleBytes.updateVehicle))
        let search = try WireSearchVehiclesRequest(serializedBytes: bytes(GoogleBytes.searchVehicles))
        #expect(search.tripTypes == [.exclusive, .shared])
        #expect(search.currentTripsPresent == .any)
        #expect(try search.serializedBytes() as [UInt8] == bytes(GoogleBytes.searchVehicles))
    }

    @Test("fields and enum numbers of a newer server survive reading and writing")
    func newer() throws {
        // Field 3 (trip_status) = 99, field 1000 = "new".
        let original: [UInt8] = [0x18, 99, 0xC2, 0x3E, 3, 0x6E, 0x65, 0x77]
        let trip = try WireTrip(serializedBytes: original)
        #expect(trip.tripStatus == .UNRECOGNIZED(99))
        #expect(try trip.serializedBytes() as [UInt8] == original)
    }
}
