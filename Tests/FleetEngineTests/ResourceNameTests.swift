import FleetEngine
import Testing

@Suite("Resource names")
struct ResourceNameTests {
    @Test("full names are read and written")
    func roundTrip() throws {
        let trip = try TripName("providers/demo/trips/made-up-ride")
        #expect(trip.provider == "demo")
        #expect(trip.trip == "made-up-ride")
        #expect(trip.description == "providers/demo/trips/made-up-ride")
        #expect(try VehicleName("providers/demo/vehicles/car-7").vehicle == "car-7")
        #expect(try ProviderName("providers/demo").provider == "demo")
    }

    @Test("names of tasks, delivery vehicles and tracking are read and written")
    func deliveries() throws {
        let task = try TaskName("providers/demo/tasks/parcel-1")
        #expect(task.provider == "demo")
        #expect(task.task == "parcel-1")
        #expect(task.description == "providers/demo/tasks/parcel-1")
        let vehicle = try DeliveryVehicleName("providers/demo/deliveryVehicles/van-1")
        #expect(vehicle.vehicle == "van-1")
        #expect(vehicle.description == "providers/demo/deliveryVehicles/van-1")
        let tracking = try TaskTrackingName("providers/demo/taskTrackingInfo/P-4711")
        #expect(tracking.trackingID == "P-4711")
        #expect(tracking.description == "providers/demo/taskTrackingInfo/P-4711")
    }

    @Test(
        "an invalid name of a shipment is refused with the accepted form or the rule",
        arguments: [
            ("providers/demo/tasks/p", "not a tracking name; the form is providers/{provider}/taskTrackingInfo/{tracking}"),
            ("providers/demo/taskTrackingInfo/a/b", "not a tracking name; the form is providers/{provider}/taskTrackingInfo/{tracking}"),
            ("providers/demo/taskTrackingInfo/", "a tracking id must not be empty"),
            ("providers/demo/taskTrackingInfo/a#b", "a tracking id must not contain any of / : ? , # (this one contains '#')"),
            ("providers/demo/taskTrackingInfo/a\u{7}b", "a tracking id must not contain control characters"),
            ("providers/demo/taskTrackingInfo/e\u{301}", "a tracking id must be normalised to Unicode NFC"),
        ])
    func refusedTracking(text: String, reason: String) throws {
        let error = try #require(throws: ResourceNameError.self) { try TaskTrackingName(text) }
        #expect(error.description == reason)
    }

    @Test(
        "an invalid name is refused with the accepted form",
        arguments: [
            "", "bogus", "providers/demo/trips", "providers/demo/trips/", "providers//trips/t", "providers/demo/vehicles/t",
            "providers/demo/trips/a/b",
            "PROVIDERS/demo/trips/t", "providers/demo/trips/a:b", "providers/demo/trips/a?b", "providers/demo/trips/a,b",
            "providers/demo/trips/a#b",
            "providers/demo/trips/a\u{7}b", "providers/demo/trips/e\u{301}",
        ])
    func refused(text: String) {
        #expect(throws: ResourceNameError.self) { try TripName(text) }
    }

    @Test("64 characters are allowed, 65 are not; letter case and other scripts stay")
    func lengths() throws {
        #expect(try TripName(provider: "p", trip: String(repeating: "ä", count: 64)).trip.count == 64)
        #expect(throws: ResourceNameError.self) { try TripName(provider: "p", trip: String(repeating: "ä", count: 65)) }
        #expect(try TripName(provider: "p", trip: "Üb-é-日本").trip == "Üb-é-日本")
        #expect(try TripName(provider: "p", trip: "a") != TripName(provider: "p", trip: "A"))
    }
}

@Suite("Trip status numbers")
struct TripStatusTests {
    @Test(
        "the wire and iOS have different numbers",
        arguments: [
            (TripStatus.new, 1, 1), (.enrouteToPickup, 2, 2), (.arrivedAtPickup, 3, 3), (.enrouteToDropoff, 4, 6), (.complete, 5, 7),
            (.canceled, 6, 8), (.arrivedAtIntermediateDestination, 7, 4), (.enrouteToIntermediateDestination, 8, 5), (.unknown, 0, 0),
        ])
    func numbers(status: TripStatus, wire: Int, iOS: Int) {
        #expect(status.wireNumber == wire)
        #expect(status.iOSNumber == iOS)
        #expect(TripStatus(wireNumber: wire) == status)
        #expect(TripStatus(iOSNumber: iOS) == status)
    }

    @Test("numbers of a newer server are unknown", arguments: [-1, 9, 1_000_000])
    func newer(number: Int) {
        #expect(TripStatus(wireNumber: number) == .unknown)
        #expect(TripStatus(iOSNumber: number) == .unknown)
    }
}
