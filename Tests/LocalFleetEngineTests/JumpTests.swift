import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Impossible positions")
struct JumpTests {
    /// Returns a location with a raw fix whose time is `second` seconds after the start.
    private static func fix(_ place: Coordinate, _ second: Double, accuracy: Double? = nil) -> WireVehicleLocation {
        var location = WireVehicleLocation.at(place)
        location.rawLocation = WireLatLng(place)
        location.rawLocationTime = .init(moment: World.start.addingTimeInterval(second))
        if let accuracy { location.rawLocationAccuracy = .init(accuracy) }
        return location
    }

    private static func world(keepsJumps: Bool = false) throws -> World {
        var world = World()
        if keepsJumps {
            var options = world.engine.options
            options.keepsJumps = true
            world.engine = FleetEngineState(options: options)
        }
        try world.createVehicle("car") { $0.vehicle.lastLocation = fix(World.centre, 0) }
        return world
    }

    /// Reports a fix of the vehicle, together with the vehicle's state.
    /// - Returns: whether the fix is now the vehicle's position.
    private static func report(_ world: inout World, _ fix: WireVehicleLocation) throws -> Bool {
        let answer = try world.updateVehicle("car", ["last_location", "vehicle_state"]) {
            $0.lastLocation = fix
            $0.vehicleState = .offline
        }
        #expect(answer.vehicleState == .offline)
        return answer.lastLocation.location == fix.location && answer.lastLocation.rawLocationTime == fix.rawLocationTime
    }

    @Test(
        "a fix is impossible over 150 m/s beyond both accuracies, by the times of the fixes",
        arguments: [
            (1_499.0, 10.0, nil, true), (1_501, 10, nil, false), (1_599, 10, 100, true), (1_601, 10, 100, false), (1_499, -10, nil, true),
            (1_501, -10, nil, false), (0, 0, nil, true), (5, 0, nil, false), (5, 0, 6, true), (80_000, 1_000, nil, true),
        ] as [(Double, Double, Double?, Bool)])
    func border(meters: Double, second: Double, accuracy: Double?, isTaken: Bool) throws {
        var world = try Self.world()
        #expect(try Self.report(&world, Self.fix(World.place(east: meters), second, accuracy: accuracy)) == isTaken)
        #expect(world.engine.discardedJumps == (isTaken ? 0 : 1))
        #expect(world.copy == world.engine)
    }

    @Test("a position without a raw fix, or without the fix's time, is not checked")
    func notJudged() throws {
        for strip in [{ $0.clearRawLocation() }, { $0.clearRawLocationTime() }] as [(inout WireVehicleLocation) -> Void] {
            var world = try Self.world()
            var far = Self.fix(World.place(east: 50_000), 1)
            strip(&far)
            #expect(try Self.report(&world, far))
            // The next fixes are compared with this distant position, and are refused until three in a row agree.
            for second in [2.0, 3, 4] { #expect(try Self.report(&world, Self.fix(World.centre, second)) == (second == 4)) }
            #expect(world.engine.discardedJumps == 2)
        }
        var world = try Self.world(keepsJumps: true)
        #expect(try Self.report(&world, Self.fix(World.place(east: 50_000), 1)))
        #expect(world.engine.discardedJumps == 0)
    }

    /// Returns a location without a raw fix. It has a time only if `second` is given.
    private static func unchecked(_ place: Coordinate, _ second: Double? = nil) -> WireVehicleLocation {
        var location = WireVehicleLocation.at(place)
        if let second { location.updateTime = .init(moment: World.start.addingTimeInterval(second)) }
        return location
    }

    @Test("a fix is compared with the last position, in whatever field it came", arguments: [nil, 2] as [Double?])
    func otherField(second: Double?) throws {
        var world = try Self.world()
        world.wait(2)
        #expect(try Self.report(&world, Self.unchecked(World.place(east: 10), second)))
        world.wait(1)
        #expect(try !Self.report(&world, Self.fix(World.place(east: 50_000), 3)))
        world.wait(1)
        #expect(try Self.report(&world, Self.fix(World.place(east: 40), 4)))
        #expect(world.engine.discardedJumps == 1)
        #expect(world.copy == world.engine)
    }

    @Test("the first fix is compared with the position that the vehicle was created with")
    func created() throws {
        var world = World()
        try world.createVehicle("car")
        world.wait(10)
        #expect(try !Self.report(&world, Self.fix(World.place(east: 2_000), 10)))
        #expect(try Self.report(&world, Self.fix(World.place(east: 1_000), 11)))
    }

    @Test("the server's clock does not count")
    func serverTime() throws {
        var world = try Self.world()
        world.wait(100_000)
        #expect(try !Self.report(&world, Self.fix(World.place(east: 50_000), 1)))
        #expect(try Self.report(&world, Self.fix(World.place(east: 100), 1)))
    }

    @Test("the third impossible fix in a row is accepted if it agrees with the one before")
    func agreement() throws {
        var world = try Self.world()
        func report(_ meters: Double, _ second: Double) throws -> Bool {
            try Self.report(&world, Self.fix(World.place(east: meters), second))
        }
        #expect(try !report(50_000, 1))
        #expect(try !report(50_100, 2))
        #expect(try report(50_200, 3))
        #expect(try report(50_300, 4))
        #expect(world.engine.discardedJumps == 2)
        // The count of impossible fixes starts again after a possible fix, and at an impossible fix that does not agree with the previous
        // one.
        #expect(try !report(0, 5))
        #expect(try !report(90_000, 6))
        #expect(try !report(90_100, 7))
        #expect(try report(50_400, 8))
        #expect(try !report(90_200, 9))
        #expect(try !report(90_300, 10))
        #expect(try report(90_400, 11))
        #expect(world.engine.discardedJumps == 7)
    }

    @Test("the engine reports the number of impossible fixes")
    func counter() async throws {
        let engine = LocalFleetEngine(time: SystemTimeSource())
        _ = try await engine.createVehicle(.new("car") { $0.vehicle.lastLocation = Self.fix(World.centre, 0) })
        _ = try await engine.updateVehicle(
            .with {
                $0.name = "\(World.provider)/vehicles/car"
                $0.vehicle.lastLocation = Self.fix(World.place(east: 9_000), 1)
                $0.updateMask.paths = ["last_location"]
            })
        #expect(engine.discardedJumps == 1)
    }
}
