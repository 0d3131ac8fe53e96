import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

/// Checks that a search through an index finds the same results as a search through all trips and vehicles.
@Suite("Indexes")
struct IndexTests {
    /// Places at which the grid of cells on the globe could have errors, and ordinary places.
    private static let centres = [
        Coordinate(latitude: 10, longitude: 20), Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: -33.9, longitude: 151.2),
        Coordinate(latitude: 65, longitude: 180), Coordinate(latitude: -17, longitude: -179.999),
        Coordinate(latitude: 78.2, longitude: 15.6),
        Coordinate(latitude: 89.97, longitude: 100), Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -89.999, longitude: -180),
        Coordinate(latitude: -90, longitude: 17), Coordinate(latitude: 59.99, longitude: -0.001),
    ]

    @Test("a place within the radius is in a cell that is searched, and is no nearer than the cell's distance", arguments: centres)
    func cells(around centre: Coordinate) throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<400 {
            let radius = random.double(in: 400...10_000)
            let reach = 1.1 * radius
            let place = centre.offset(
                eastMeters: random.double(in: -reach...reach), northMeters: random.double(in: -reach...reach))
            let meters = place.distanceMeters(to: centre)
            guard meters <= radius else { continue }
            let cell = try #require(PlaceCell(place))
            let found = PlaceCell.around(centre, meters: radius).first { $0.cell == cell }
            #expect(try #require(found, "\(place) is \(meters) m away").meters <= meters)
        }
        let cells = PlaceCell.around(centre, meters: 10_000)
        #expect(Set(cells.map(\.cell)).count == cells.count)
        #expect(cells.count < 400)
        #expect(PlaceCell(Coordinate(latitude: .nan, longitude: 0)) == nil)
    }

    @Test("SearchVehicles shortlists the same vehicles as a scan of all vehicles, in the same order", arguments: centres)
    func nearest(to centre: Coordinate) throws {
        var random = SeededRandom(seed: 11)
        var world = World()
        for index in 0..<400 {
            // Half of the vehicles are close together, and some are at the same place.
            let reach = random.chance(0.5) ? 800.0 : 14_000
            let place =
                random.chance(0.1)
                ? centre
                : centre.offset(
                    eastMeters: random.double(in: -reach...reach), northMeters: random.double(in: -reach...reach))
            let (isBike, seats, isOff) = (random.chance(0.1), Int32(random.int(in: 1...6)), random.chance(0.1))
            try world.createVehicle("v\(index)") {
                $0.vehicle.lastLocation = .at(place)
                if isBike { $0.vehicle.vehicleType.category = .bicycle }
                $0.vehicle.maximumCapacity = seats
                if isOff { $0.vehicle.vehicleState = .offline }
                if index.isMultiple(of: 3) { $0.vehicle.attributes = [.text("class", "van")] }
            }
            world.wait(random.double(in: 0...2))
        }
        for index in 0..<400 where random.chance(0.3) {
            let place = centre.offset(eastMeters: random.double(in: -9_000...9_000), northMeters: random.double(in: -9_000...9_000))
            if random.chance(0.2) { try world.deleteVehicle("v\(index)") } else { try world.move("v\(index)", to: place) }
        }
        for index in 0..<40 {
            try world.createTrip("t\(index)")
            _ = try? world.assign("t\(index)", to: "v\(random.int(in: 0...399))")
        }
        for _ in 0..<60 {
            let request = request(near: centre, &random)
            let found = try world.engine.shortlist(request, now: world.now).candidates
            let expected = try scan(world, request)
            #expect(found.map(\.record.serial) == expected.map(\.record.serial))
            #expect(found.map(\.straightMeters) == expected.map(\.straightMeters))
        }
    }

    private func request(near centre: Coordinate, _ random: inout SeededRandom) -> WireSearchVehiclesRequest {
        let offset = (random.double(in: -3_000...3_000), random.double(in: -3_000...3_000))
        let hasFilter = random.chance(0.2)
        return .with {
            $0.parent = World.provider
            $0.pickupPoint = .at(centre.offset(eastMeters: offset.0, northMeters: offset.1))
            $0.pickupRadiusMeters = Int32(random.int(in: 400...10_000))
            $0.count = Int32(random.int(in: 1...50))
            $0.minimumCapacity = Int32(random.int(in: 1...4))
            $0.tripTypes = [.exclusive]
            $0.vehicleTypes = [.with { $0.category = .auto }]
            $0.orderBy = .pickupPointStraightDistance
            $0.maximumStaleness.seconds = Int64(random.int(in: 30...600))
            if hasFilter { $0.filter = "attributes.class = van" }
            $0.currentTripsPresent = random.chance(0.3) ? .any : .unspecified
        }
    }

    private func scan(_ world: World, _ request: WireSearchVehiclesRequest) throws -> [VehicleSearch.Candidate] {
        let search = try VehicleSearch(request, straightLine: world.engine.straightLine, now: world.now)
        let found = world.engine.vehicles.values.compactMap { record -> VehicleSearch.Candidate? in
            let trips = record.currentTrips.compactMap { id in world.engine.trips.values.first { $0.name.trip == id } }
            var rows = SerialList<VehicleRow>()
            rows.put(VehicleRow(record), record.serial)
            return search.meters(to: rows, 0).flatMap { search.candidate(record, trips: trips, $0) }
        }
        return Array(
            found.sorted { ($0.straightMeters, $0.record.serial) < ($1.straightMeters, $1.record.serial) }.prefix(Int(request.count)))
    }

    @Test("ListVehicles returns nothing twice and misses nothing, even when vehicles are added and removed between pages")
    func pages() throws {
        var random = SeededRandom(seed: 3)
        var world = World()
        for index in 0..<200 { try world.createVehicle("v\(index)") }
        var (seen, gone, token): ([String], Set<String>, String) = ([], [], "")
        repeat {
            let page = try world.engine.listVehicles(
                .with {
                    $0.parent = World.provider
                    $0.vehicleTypeCategories = [.auto]
                    $0.pageSize = 7
                    $0.pageToken = token
                }, now: world.now)
            seen += page.vehicles.map { String($0.name.split(separator: "/").last ?? "") }
            token = page.nextPageToken
            #expect(page.totalSize == world.engine.vehicleCount)
            for _ in 0..<5 {
                let id = "v\(random.int(in: 0...199))"
                if (try? world.deleteVehicle(id)) != nil { gone.insert(id) }
            }
            if seen.count < 50 { try world.createVehicle("new\(seen.count)") }
        } while !token.isEmpty
        #expect(Set(seen).count == seen.count)
        #expect(Set(seen).union(gone).isSuperset(of: (0..<200).map { "v\($0)" }))
        let numbers = seen.compactMap { Int($0.dropFirst()) }
        #expect(numbers == numbers.sorted())
        #expect(seen.last?.hasPrefix("new") == true)
    }

    @Test("a finished trip is found by its vehicle; a trip that changes its vehicle is found only by the new one")
    func tripsOfVehicles() throws {
        var world = try World.assigned()
        try world.createVehicle("other")
        func ids(_ vehicle: String) throws -> [String] {
            try world.engine.searchTrips(
                .with {
                    $0.parent = World.provider
                    $0.vehicleID = vehicle
                }, now: world.now
            ).trips.map { String($0.name.split(separator: "/").last ?? "") }
        }
        try world.assign("t1", to: "other")
        #expect(try (ids("car"), ids("other")) == ([], ["t1"]))
        try world.setStatus("t1", .complete)
        #expect(try ids("other") == ["t1"])
        try world.deleteTrip("t1")
        #expect(try ids("other").isEmpty)
        #expect(world.engine.tripIndex == TripIndex())
    }

    @Test("a list in the order of serials equals a dictionary", arguments: 0..<8 as Range<UInt64>)
    func serialList(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var list = SerialList<Int>()
        var model: [UInt64: Int] = [:]
        for step in 0..<500 {
            let serial = UInt64(random.int(in: 0...(seed.isMultiple(of: 2) ? 60 : step)))
            if random.chance(0.55) {
                list.put(step, serial)
                model[serial] = step
            } else {
                list.remove(serial)
                model[serial] = nil
            }
            let after = UInt64(random.int(in: 0...60))
            let expected = model.filter { $0.key > after }.sorted { $0.key < $1.key }
            #expect(list.places(after: after).map { list.serial(at: $0) } == expected.map(\.key))
            #expect(list.places(after: after).map { list[$0] } == expected.map(\.value))
            #expect(list.count == model.count)
        }
        list.put(1, .max)
        #expect(list.places(after: .max).map { $0 }.isEmpty)
    }

    @Test("a page with the total number of rows examines each row once")
    func countedPage() throws {
        var list = SerialList<Int>()
        for number in 1...10 { list.put(number, UInt64(number)) }
        list.remove(5)
        var pages: [[Int]] = []
        var token = ""
        repeat {
            var examined = 0
            let page = try Paging(size: 2, token: token, limits: EngineLimits()).countedPage(of: list) { place in
                examined += 1
                return list[place].isMultiple(of: 2)
            }
            #expect(examined == 9 && page.count == 5)
            pages.append(page.rows)
            token = page.nextToken
        } while !token.isEmpty && pages.count < 5
        #expect(pages == [[2, 4], [6, 8], [10]])
    }
}
