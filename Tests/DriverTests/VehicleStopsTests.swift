import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Testing
import TripTesting

@Suite("Stops and reports of a delivery vehicle", .timeLimit(.minutes(1)))
struct VehicleStopsTests {
    private let clock = ManualTimeSource(Sea.start)
    private let vehicle: DeliveryVehicleName
    private let fleet: ScriptedDeliveryFleet
    private let stops: VehicleStops

    init() throws {
        vehicle = try DeliveryVehicleName(provider: "sea", vehicle: "van")
        fleet = ScriptedDeliveryFleet(clock: clock, vehicle: vehicle, at: Sea.place(0, 0))
        stops = VehicleStops(client: fleet, vehicleName: vehicle)
    }

    private func stop(_ id: String, _ state: VehicleStopState = .new) -> VehicleStop {
        VehicleStop(plannedLocation: Sea.place(100, 0), tasks: [StopTask(taskID: id)], state: state)
    }

    @Test("Each action sends all remaining stops, and returns them")
    func acts() async throws {
        #expect(try await stops.setVehicleStops([stop("a"), stop("b")]) == [stop("a"), stop("b")])
        #expect(try await stops.enrouteToNextStop() == [stop("a", .enroute), stop("b")])
        #expect(try await stops.arrivedAtStop() == [stop("a", .arrived), stop("b")])
        #expect(try await stops.completedStop() == [stop("b")])
        #expect(try await stops.remainingVehicleStops() == [stop("b")])
        #expect(try await stops.completedStop().isEmpty)
        #expect(await fleet.steps == ["a NEW", "a ENROUTE", "a ARRIVED", "b NEW", "empty"])
    }

    @Test("A stop that the provider has added in the meantime stays in the list")
    func added() async throws {
        _ = try await stops.setVehicleStops([stop("a"), stop("b")])
        await fleet.plan([stop("a"), stop("b"), stop("c")])
        #expect(try await stops.enrouteToNextStop().count == 3)
    }

    @Test("Lists that every server refuses are refused without a call, and so are actions without a stop")
    func refused() async throws {
        for bad in [[], [stop("a"), stop("b", .enroute)]] {
            let error = await #expect(throws: FleetEngineError.self) { try await stops.setVehicleStops(bad) }
            #expect(error?.code == .invalidArgument && error?.origin == .local)
        }
        let error = await #expect(throws: FleetEngineError.self) { try await stops.arrivedAtStop() }
        #expect(error?.code == .failedPrecondition)
        #expect(await fleet.steps.isEmpty)
    }

    @Test("A reporter sends nothing before tracking is on and nothing when it ends; its interval is 10 s by default, and 5 to 60 s")
    func tracking() async throws {
        let navigator = Navigator()
        let provider = RoadSnappedLocationProvider(navigator: navigator)
        let reporter = DeliveryReporter(client: fleet, vehicleName: vehicle, navigator: navigator, time: clock)
        provider.add(reporter.listener)
        provider.startUpdatingLocation()
        #expect(await reporter.locationReportingInterval == 10)
        for (asked, taken) in [(1.0, 5.0), (90, 60), (20, 20)] {
            await reporter.setLocationReportingInterval(asked)
            #expect(await reporter.locationReportingInterval == taken)
        }
        let fix = LocationFix(coordinate: Sea.place(0, 0), time: Sea.start, accuracyMeters: 5)
        provider.update(with: fix, at: Sea.start)
        await reporter.deliver()
        #expect(await reporter.locationTrackingEnabled == false)
        #expect(await fleet.updates.isEmpty)
        await reporter.setLocationTrackingEnabled(true)
        await reporter.settled()
        let sent = await fleet.updates
        #expect(sent.count == 1 && sent.first?.location?.coordinate == Sea.place(0, 0))
        await reporter.setLocationTrackingEnabled(false)
        await reporter.settled()
        #expect(await fleet.updates.count == 1)
    }
}
