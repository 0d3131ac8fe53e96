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

    @Test("a trip written by Google's client is read, and written again as the same bytes")
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

    @Test("requests written by Google's client are read, and written again as the same bytes")
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

    @Test("deliveries written by Google's client are read, and written again as the same bytes")
    func deliveries() throws {
        let shipment = try WireTaskTrackingInfo(serializedBytes: bytes(GoogleDeliveryBytes.shipment))
        #expect(shipment.trackingID == "P-1" && shipment.state == .open && shipment.taskOutcome == .succeeded)
        #expect(shipment.remainingStopCount.value == 3 && shipment.remainingDrivingDistanceMeters.value == 1_804)
        #expect(shipment.estimatedTaskCompletionTime.seconds - shipment.estimatedArrivalTime.seconds == 90)
        #expect(shipment.routePolylinePoints.map(\.longitude) == [20, 20.25] && shipment.vehicleLocation.heading.value == 271)
        #expect(shipment.attributes.map(\.key) == ["size", "fragile", "kilos"] && shipment.unknownFields.data.isEmpty)
        #expect(try shipment.serializedBytes() as [UInt8] == bytes(GoogleDeliveryBytes.shipment))
        let task = try WireTask(serializedBytes: bytes(GoogleDeliveryBytes.task))
        #expect(task.type == .delivery && task.state == .closed && task.taskOutcomeLocationSource == .lastVehicleLocation)
        #expect(task.taskDuration.nanos == 500_000_000 && task.journeySharingInfo.lastLocationSnappable)
        #expect(task.taskTrackingViewConfig.estimatedTaskCompletionTimeVisibility.remainingDrivingDistanceMetersThreshold == 5_000)
        #expect(task.taskTrackingViewConfig.remainingStopCountVisibility.never && task.unknownFields.data.isEmpty)
        #expect(try task.serializedBytes() as [UInt8] == bytes(GoogleDeliveryBytes.task))
        let update = try WireUpdateDeliveryVehicleRequest(serializedBytes: bytes(GoogleDeliveryBytes.updateDeliveryVehicle))
        #expect(update.deliveryVehicle.navigationStatus == .offRoute && update.deliveryVehicle.type == .bicycle)
        #expect(update.deliveryVehicle.currentRouteSegment.elementsEqual("_p~iF~ps|U".utf8))
        #expect(update.deliveryVehicle.remainingVehicleJourneySegments.first?.stop.state == .enroute)
        #expect(update.deliveryVehicle.pastLocations.first?.heading.value == 90 && update.header.sdkType == .driver)
        #expect(try update.serializedBytes() as [UInt8] == bytes(GoogleDeliveryBytes.updateDeliveryVehicle))
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
