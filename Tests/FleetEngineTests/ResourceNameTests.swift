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

    @Test(
        "what is not a name is refused with the accepted form",
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
        "wire and iOS numbers are two different maps",
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
