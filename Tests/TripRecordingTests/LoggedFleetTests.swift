import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import TripRecording

@Suite("The fleet at the end of a log")
struct LoggedFleetTests {
    private func fleet(_ entries: [LogDocument], _ form: LogForm = .rawLogs) throws -> (trips: [WireTrip], vehicles: [WireVehicle]) {
        let fleet = try FleetEngineLog(Data(form.text(entries.map { $0.rendered() }).utf8)).fleet
        return (fleet.trips, fleet.vehicles)
    }

    @Test("later entries win, in any order of the text; a refused call changes nothing", arguments: LogForm.allCases)
    func laterWins(form: LogForm) throws {
        let refused = Entry.entry("UpdateTrip", at: 50, [("request", ["tripId": "t1"]), ("errorResponse", ["code": "NOT_FOUND"])])
        let entries = [
            Entry.updateTrip(at: 30, status: "ENROUTE_TO_PICKUP"), Entry.createTrip(at: 0), refused, Entry.assign(at: 10),
            Entry.fix(at: 20, Entry.way[0]), Entry.fix(at: 25, Entry.way[1]),
        ]
        let fleet = try fleet(entries, form)
        #expect(fleet.trips.map(\.name) == [Entry.tripName])
        #expect(fleet.trips.first?.tripStatus == .enrouteToPickup && fleet.trips.first?.vehicleID == "CAR-1")
        #expect(fleet.trips.first?.numberOfPassengers == 2 && fleet.trips.first?.pickupPoint.point.latitude == -47)
        #expect(fleet.vehicles.map(\.name) == ["providers/demo/vehicles/CAR-1"])
        #expect(fleet.vehicles.first?.lastLocation.location.latitude == Entry.way[1].latitude)
    }

    @Test("deleted trips and vehicles are gone, attributes are the last ones, and a vehicle without a trip has no route")
    func deletions() throws {
        let vehicle = "providers/demo/vehicles/CAR-1"
        let attributes = Entry.entry(
            "UpdateVehicleAttributes", at: 30,
            [("request", ["name": .text(vehicle)]), ("response", ["attributes": [["key": "colour", "value": "teal"]]])])
        let ride = [
            Entry.createTrip(at: 0), Entry.assign(at: 10), Entry.fix(at: 20, Entry.way[0]), attributes,
            Entry.updateTrip(at: 40, status: "COMPLETE"),
        ]
        let over = try #require(try fleet(ride).vehicles.first)
        #expect(over.attributes.map(\.value) == ["teal"])
        #expect(over.currentRouteSegment.isEmpty && !over.hasRemainingDistanceMeters && !over.hasEtaToFirstWaypoint)
        let tripGone = Entry.entry("DeleteTrip", at: 50, [("request", ["name": .text(Entry.tripName)]), ("response", [:] as LogDocument)])
        let carGone = Entry.entry("DeleteVehicle", at: 60, [("request", ["name": .text(vehicle)]), ("response", [:] as LogDocument)])
        let left = try fleet(ride + [tripGone, carGone])
        #expect(left.trips.isEmpty && left.vehicles.isEmpty)
        #expect(try fleet(ride + [tripGone, Entry.createTrip(at: 70)]).trips.map(\.name) == [Entry.tripName])
    }

    @Test("a position in an answer is used if it is newer than the driver's last one")
    func shownPositions() throws {
        func shown(_ place: Coordinate, at seconds: Double) -> LogDocument {
            let location: LogDocument = ["location": Entry.point(place), "serverTime": .text(Entry.time(seconds))]
            let answer: LogDocument = ["name": "providers/demo/vehicles/CAR-1", "lastLocation": location]
            return Entry.entry("GetVehicle", at: 40, [("request", [:] as LogDocument), ("response", answer)])
        }
        for (seconds, expected) in [(15.0, Entry.way[0]), (35.0, Entry.way[1])] {
            let vehicle = try #require(fleet([Entry.fix(at: 20, Entry.way[0]), shown(Entry.way[1], at: seconds)]).vehicles.first)
            #expect(vehicle.lastLocation.location.latitude == expected.latitude, "\(seconds)")
        }
    }

    @Test("an import begins with the same facts as the end of a replay, for any part of the log")
    func importAndReplay() throws {
        let stops = [Coordinate(latitude: -47.001, longitude: -19.99)]
        let entries = [Entry.createTrip(at: 0, stops: stops)] + Entry.ride.dropFirst()
        for count in 1...entries.count {
            let log = try readLog(Array(entries.prefix(count)))
            let recorded = try log.recordedTrip(matching: "t1")
            let replayed = try #require(recorded.snapshot(at: recorded.end))
            let wire = try #require(log.fleet.trips.first)
            let imported = Trip(wire, name: recorded.name)
            #expect(imported.status == replayed.status && imported.vehicleID == replayed.vehicleID, "\(count)")
            #expect(imported.pickupPoint == replayed.pickupPoint && imported.dropoffPoint == replayed.dropoffPoint, "\(count)")
            #expect(imported.intermediateDestinations == stops && replayed.intermediateDestinations == stops, "\(count)")
            #expect(imported.numberOfPassengers == 2 && replayed.numberOfPassengers == 2, "\(count)")
            guard let vehicle = recorded.vehicle(at: recorded.end) else { continue }
            let known = try #require(log.fleet.vehicles.first)
            #expect(VehicleLocation(known.lastLocation) == vehicle.lastLocation, "\(count)")
        }
    }

    @Test("a field that an update's mask names and its answer lacks is cleared in the import and the replay", arguments: LogForm.allCases)
    func clearedTrip(form: LogForm) throws {
        let full: [(String, LogDocument)] = [
            ("intermediateDestinations", [["point": Entry.point(Entry.way[0])], ["point": Entry.point(Entry.way[1])]]),
            ("intermediateDestinationIndex", 1), ("dropoffPoint", ["point": Entry.point(Entry.dropoff)]),
            ("attributes", [["key": "class", "value": "comfort"]]),
        ]
        let mask = full.map(\.0).joined(separator: ",")
        let begin = [Entry.createTrip(at: 0), Entry.updateTrip(at: 10, mask: mask, full)]
        let index = Entry.updateTrip(at: 20, mask: "intermediateDestinationIndex", Array(full.prefix(1)))
        let moved = try #require(fleet(begin + [index], form).trips.first)
        #expect(moved.intermediateDestinationIndex == 0 && moved.intermediateDestinations.count == 2 && moved.attributes.count == 1)
        let unnamed = try #require(fleet(begin + [Entry.updateTrip(at: 20, mask: "tripStatus")], form).trips.first)
        #expect(unnamed.intermediateDestinationIndex == 1 && unnamed.hasDropoffPoint && unnamed.attributes.count == 1)

        let cleared = begin + [Entry.updateTrip(at: 20, mask: mask)]
        let trip = try #require(fleet(cleared, form).trips.first)
        #expect(trip.intermediateDestinations.isEmpty && trip.intermediateDestinationIndex == 0)
        #expect(!trip.hasDropoffPoint && trip.attributes.isEmpty && trip.hasPickupPoint)
        let recorded = try readLog(cleared).recordedTrip(matching: "t1")
        let replayed = try #require(recorded.snapshot(at: recorded.end))
        #expect(replayed.intermediateDestinations.isEmpty && replayed.dropoffPoint == nil && replayed.attributes.isEmpty)
    }

    @Test("a vehicle's cleared attributes, plate and back-to-back trips stay cleared; without a mask, only an empty value clears")
    func clearedVehicle() throws {
        let full: [(String, LogDocument)] = [
            ("attributes", [["key": "colour", "value": "teal"]]), ("licensePlate", ["countryCode": "DE", "lastCharacter": "7"]),
            ("backToBackEnabled", .flag(true)),
        ]
        let begin = Entry.fix(at: 10, Entry.way[0], mask: full.map(\.0).joined(separator: ","), answered: full)
        func after(_ entry: LogDocument) throws -> [Bool] {
            let vehicle = try #require(fleet([begin, entry]).vehicles.first)
            return [!vehicle.attributes.isEmpty, vehicle.hasLicensePlate, vehicle.backToBackEnabled]
        }
        #expect(try after(Entry.fix(at: 20, Entry.way[1], mask: full.map(\.0).joined(separator: ","))) == [false, false, false])
        #expect(try after(Entry.fix(at: 20, Entry.way[1])) == [true, true, true])
        let name: (String, LogDocument) = ("name", "providers/demo/vehicles/CAR-1")
        func answer(_ members: [(String, LogDocument)]) -> LogDocument {
            Entry.entry("UpdateVehicle", at: 20, [("response", .members([name] + members))])
        }
        #expect(try after(answer([])) == [true, true, true])
        #expect(try after(answer([("attributes", []), ("backToBackEnabled", .flag(false))])) == [false, true, false])
    }

    @Test("a trip or vehicle that is only updated is created, and so is a vehicle that only a trip names")
    func updatedOnly() throws {
        let fleet = try fleet([Entry.assign(at: 10), Entry.updateTrip(at: 20, trip: "t2", status: "COMPLETE")])
        #expect(fleet.trips.map(\.tripType) == [.exclusive, .exclusive])
        #expect(fleet.trips.map(\.tripStatus) == [.new, .complete])
        #expect(fleet.vehicles.map(\.name) == ["providers/demo/vehicles/CAR-1"])
    }

    @Test("a bare id belongs to the vehicles' provider, or else to the project that logged it")
    func providers() throws {
        func bare(_ project: String) -> LogDocument {
            [
                "timestamp": .text(Entry.time(5)), "resource": ["labels": ["resourceContainer": .text("projects/\(project)")]],
                "jsonPayload": [
                    "@type": "type.googleapis.com/maps.fleetengine.v1.UpdateTripLog", "request": ["tripId": "t9"],
                    "response": ["status": "TRIP_STATUS_NEW"],
                ],
            ]
        }
        #expect(try fleet([bare("cloud")]).trips.map(\.name) == ["providers/cloud/trips/t9"])
        #expect(try fleet([bare("cloud"), Entry.fix(at: 1, Entry.way[0])]).trips.map(\.name) == ["providers/demo/trips/t9"])
    }
}
