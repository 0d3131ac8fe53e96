import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing
import TripTesting

/// A row of the table of status codes: how the model handles the first failure with a code.
private struct CodeRow: Sendable, CustomTestStringConvertible {
    let code: StatusCode
    let errorClass: ErrorClass
    let wait: ClosedRange<Double>

    init(_ code: StatusCode, _ errorClass: ErrorClass, _ wait: ClosedRange<Double>) {
        (self.code, self.errorClass, self.wait) = (code, errorClass, wait)
    }

    var testDescription: String { code.name }

    static let transient = 4.0...6.0
    static let needsUser = 24.0...36.0

    static let all: [CodeRow] = [
        CodeRow(.ok, .actionRequired(.contactProvider), needsUser),
        CodeRow(.cancelled, .retryable, transient),
        CodeRow(.unknown, .retryable, transient),
        CodeRow(.invalidArgument, .actionRequired(.checkTripName), needsUser),
        CodeRow(.deadlineExceeded, .retryable, transient),
        CodeRow(.notFound, .actionRequired(.checkTripName), needsUser),
        CodeRow(.alreadyExists, .actionRequired(.contactProvider), needsUser),
        CodeRow(.permissionDenied, .actionRequired(.checkPermission), needsUser),
        CodeRow(.resourceExhausted, .actionRequired(.waitForQuota), 30...36),
        CodeRow(.failedPrecondition, .actionRequired(.contactProvider), needsUser),
        CodeRow(.aborted, .retryable, transient),
        CodeRow(.outOfRange, .actionRequired(.updateTripwatch), needsUser),
        CodeRow(.unimplemented, .actionRequired(.checkAddress), 300...300),
        CodeRow(.internal, .retryable, transient),
        CodeRow(.unavailable, .retryable, transient),
        CodeRow(.dataLoss, .actionRequired(.contactProvider), needsUser),
        CodeRow(.unauthenticated, .actionRequired(.getNewToken), needsUser),
    ]
}

@Suite("Trip model, failures", .timeLimit(.minutes(1)))
@MainActor
struct TripModelFailureTests {
    @Test("all seventeen codes: class and pace are right, the trip is kept, polling continues, one success resets", arguments: CodeRow.all)
    fileprivate func code(row: CodeRow) async throws {
        let bench = try ModelBench { _, call in
            call == 1 || call == 3
                ? ModelBench.failure(row.code) { $0.message = "said so" } : ModelBench.trip { $0.numberOfPassengers = call }
        }
        let listener = Listener()
        bench.register(listener)
        let first = try #require(await bench.wait())
        #expect(row.wait.contains(first), "\(first)")
        let failure = try #require(listener.failures.first)
        #expect(failure.error.code == row.code && failure.error.message == "said so")
        #expect(failure.errorClass == row.errorClass)
        #expect(abs(failure.retryInSeconds - first) < 1e-6)
        #expect(failure.attempt == 1)
        await bench.goOn()
        #expect(listener.heard.suffix(3) == ["recovered", "status", "trip"])
        #expect(bench.model.currentFailure == nil)
        await bench.goOn()
        #expect(listener.failures.last?.attempt == 1, "one success resets")
        #expect(bench.model.currentTrip?.numberOfPassengers == 2, "the last trip stays")
        if row.code == .notFound {
            #expect(listener.failures.last?.isWithinGrace == true)
            #expect(listener.failures.last?.errorClass == .actionRequired(.checkTripExists))
            #expect(await bench.wait() == 5)
        } else {
            #expect(listener.failures.last.map { row.wait.contains($0.retryInSeconds) } == true)
        }
        await bench.goOn()
        #expect(bench.model.currentTrip?.numberOfPassengers == 4)
        #expect(bench.model.state == .active)
    }

    @Test("when the connection is back, the model polls within 3 s, whatever the wait was")
    func connectionIsBack() async throws {
        let bench = try ModelBench { _, call in
            call < 8 ? ModelBench.failure(.unavailable) { $0.origin = .network } : ModelBench.trip()
        }
        let listener = Listener()
        bench.register(listener)
        for _ in 1...6 { await bench.goOn() }
        let before = try #require(await bench.wait())
        #expect(before > 40)
        bench.client.connect()
        while let wait = await bench.wait(), wait > 3, !Task.isCancelled { await Task.yield() }
        await bench.goOn()
        #expect(bench.client.callCount == 8 && bench.model.currentFailure == nil)
    }

    @Test("all seventeen codes are in the table")
    func completeTable() { #expect(Set(CodeRow.all.map(\.code)) == Set(StatusCode.allCases)) }

    @Test(
        "a refused token is renewed once without a report; if there is no other token, the failure is reported at once",
        arguments: [StatusCode.unauthenticated, .permissionDenied], [true, false])
    func tokens(code: StatusCode, canRenew: Bool) async throws {
        let bench = try ModelBench(canRenew: canRenew) { _, call in call <= 2 ? ModelBench.failure(code) : ModelBench.trip() }
        let listener = Listener()
        bench.register(listener)
        await bench.settle()
        #expect(bench.client.callCount == (canRenew ? 2 : 1))
        #expect(listener.heard == ["active", "failure"])
        #expect(bench.client.renewals == (canRenew ? 2 : 1), "a refused token is never kept")
    }

    @Test("an error of the token source is not mistaken for a refused token", arguments: [StatusCode.unauthenticated, .unavailable])
    func tokenSource(code: StatusCode) async throws {
        let bench = try ModelBench(canRenew: true) { _, _ in ModelBench.failure(code) { $0.origin = .tokenSource } }
        let listener = Listener()
        bench.register(listener)
        await bench.settle()
        #expect(bench.client.renewals == 0)
        let expected: ErrorClass = code == .unavailable ? .retryable : .actionRequired(.checkTokenSource)
        #expect(listener.failures.map(\.errorClass) == [expected])
    }

    @Test(
        "with a refused token and clocks over a minute apart, the user is told to check the clock",
        arguments: [(-86_400.0, true), (-61, true), (-59, false), (0, false), (59, false), (61, true), (7_200, true)])
    func clock(offset: Double, isClockBlamed: Bool) async throws {
        let time = ManualTimeSource().now()
        let bench = try ModelBench { _, call in
            guard call == 1 else { return ModelBench.failure(.unauthenticated) }
            return ModelBench.trip {
                $0.etaToNextWaypoint = time.addingTimeInterval(300 - offset)
                $0.remainingTimeToNextWaypointSeconds = 300
            }
        }
        let listener = Listener()
        bench.register(listener)
        await bench.goOn()
        #expect(bench.model.clockOffsetSeconds.map { abs($0 - offset) < 0.001 } == true)
        let failure = try #require(listener.failures.first)
        #expect(failure.errorClass == .actionRequired(isClockBlamed ? .checkClock : .getNewToken))
    }

    @Test("a report received in the future shows that the local clock is behind; the clock in the error has priority")
    func clockBehind() async throws {
        let time = ManualTimeSource().now()
        let bench = try ModelBench { _, call in
            if call > 1 { return ModelBench.failure(.unauthenticated) { $0.clockOffsetSeconds = call == 2 ? nil : 3 } }
            return ModelBench.trip {
                $0.lastLocation = VehicleLocation(
                    coordinate: Coordinate(latitude: 1, longitude: 1), serverTime: time.addingTimeInterval(90))
            }
        }
        let listener = Listener()
        bench.register(listener)
        for _ in 0..<2 { await bench.goOn() }
        #expect(listener.failures.map(\.errorClass) == [.actionRequired(.checkClock), .actionRequired(.getNewToken)])
    }

    @Test("a trip that was booked here may appear late")
    func booked() async throws {
        let time = ManualTimeSource().now()
        let bench = try ModelBench(bookedAt: time) { _, call in call < 4 ? ModelBench.failure(.notFound) : ModelBench.trip(.new) }
        let listener = Listener()
        bench.register(listener)
        for _ in 0..<3 {
            #expect(await bench.wait() == 5)
            await bench.goOn()
        }
        #expect(listener.failures.allSatisfy { $0.isWithinGrace })
        #expect(bench.model.currentTrip?.status == .new)
    }
}

@Suite("Trip model, incremental answers", .timeLimit(.minutes(1)))
@MainActor
struct TripModelVersionTests {
    private nonisolated static let line = [Coordinate(latitude: 1, longitude: 1), Coordinate(latitude: 1, longitude: 1.01)]
    private nonisolated static let traffic = [TrafficStretch(startMeters: 0, endMeters: 900, speed: .slow)]

    private nonisolated static func version(_ seconds: Int64) -> DataVersion { DataVersion(seconds: seconds, nanoseconds: 123_456_789) }

    private nonisolated static func stop(path: [Coordinate] = [], traffic: [TrafficStretch] = [], at longitude: Double = 1) -> TripWaypoint
    {
        TripWaypoint(
            coordinate: Coordinate(latitude: 1, longitude: longitude), tripID: "t1", type: .dropoff, path: RouteLine(path, traffic: traffic)
        )
    }

    private nonisolated static func whole(_ trip: inout Trip) {
        trip.activeRoute = RouteLine(line, traffic: traffic)
        trip.activeRouteVersion = version(1)
        trip.activeRouteTrafficVersion = version(2)
        trip.remainingWaypoints = [stop(path: line, traffic: traffic), stop(path: line, traffic: traffic, at: 2)]
        trip.remainingWaypointsRouteVersion = version(3)
    }

    /// Answers the first request with all fields, and the second with the given answer.
    private func second(_ answer: @escaping @Sendable (inout Trip) -> Void) async throws -> (bench: ModelBench, listener: Listener) {
        let bench = try ModelBench { _, call in ModelBench.trip { call == 1 ? Self.whole(&$0) : answer(&$0) } }
        let listener = Listener()
        bench.register(listener)
        await bench.settle()
        #expect(bench.client.requests.first == GetTripRequest(name: bench.model.tripName))
        listener.forget()
        await bench.goOn()
        #expect(
            bench.client.requests.last
                == GetTripRequest(
                    name: bench.model.tripName, activeRouteVersion: Self.version(1), activeRouteTrafficVersion: Self.version(2),
                    remainingWaypointsRouteVersion: Self.version(3), knownRoute: Polyline(Self.line)), "versions go back to the nanosecond")
        return (bench, listener)
    }

    @Test("an unset field is unchanged, with or without the version", arguments: [true, false])
    func unchanged(withVersions: Bool) async throws {
        let (bench, listener) = try await second { trip in
            trip.remainingWaypoints = [Self.stop(), Self.stop(at: 2)]
            guard withVersions else { return }
            trip.activeRouteVersion = Self.version(1)
            trip.activeRouteTrafficVersion = Self.version(2)
            trip.remainingWaypointsRouteVersion = Self.version(3)
        }
        let trip = try #require(bench.model.currentTrip)
        #expect(trip.activeRoute == RouteLine(Self.line, traffic: Self.traffic))
        #expect(trip.remainingWaypoints.map(\.path) == Array(repeating: RouteLine(Self.line, traffic: Self.traffic), count: 2))
        #expect(listener.heard == [])
        await bench.goOn()
        #expect(bench.client.requests.last == bench.client.requests.dropLast().last, "the versions are kept")
    }

    @Test("a new version without content clears the field")
    func cleared() async throws {
        let (bench, listener) = try await second { trip in
            trip.activeRouteVersion = Self.version(11)
            trip.activeRouteTrafficVersion = Self.version(12)
            trip.remainingWaypoints = [Self.stop()]
            trip.remainingWaypointsRouteVersion = Self.version(13)
        }
        let trip = try #require(bench.model.currentTrip)
        #expect(trip.activeRoute.isEmpty && trip.activeRoute.traffic.isEmpty)
        #expect(trip.remainingWaypoints.map(\.path) == [RouteLine()])
        #expect(
            listener.heard == [
                "activeRoute", "activeRouteTraffic", "remainingWaypoints", "remainingRoute", "remainingRouteTraffic", "trip",
            ])
        await bench.goOn()
        #expect(bench.client.requests.last?.activeRouteVersion == Self.version(11))
        #expect(bench.client.requests.last?.remainingWaypointsRouteVersion == Self.version(13))
    }

    @Test("each field has its own version")
    func independent() async throws {
        let (bench, _) = try await second { trip in
            trip.activeRoute = RouteLine(Self.line.reversed())
            trip.activeRouteVersion = Self.version(21)
            trip.remainingWaypoints = [Self.stop(at: 2)]
        }
        let trip = try #require(bench.model.currentTrip)
        #expect(trip.activeRoute.coordinates == Self.line.reversed())
        #expect(trip.activeRoute.traffic == Self.traffic)
        #expect(trip.remainingWaypoints.map(\.path.coordinates) == [Self.line], "the stop that was passed left at the front")
    }

    @Test("another vehicle inherits nothing, and its missing values are requested again")
    func otherVehicle() async throws {
        let (bench, listener) = try await second { trip in
            trip.vehicleID = "other"
            trip.activeRouteVersion = Self.version(1)
            trip.remainingWaypoints = [Self.stop()]
        }
        let trip = try #require(bench.model.currentTrip)
        #expect(trip.activeRoute.isEmpty && trip.activeRoute.traffic.isEmpty && trip.remainingWaypoints.allSatisfy { $0.path.isEmpty })
        await bench.goOn()
        #expect(bench.client.requests.last == GetTripRequest(name: bench.model.tripName))
        #expect(listener.heard.first == "activeRoute")
    }

    @Test("the end clears live values", arguments: [TripStatus.complete, .canceled])
    func end(status: TripStatus) async throws {
        let bench = try ModelBench { _, call in ModelBench.trip(call == 1 ? .enrouteToDropoff : status) { if call == 1 { Self.whole(&$0) } }
        }
        for await update in bench.model.updates {
            if case .trip = update.kind, bench.client.callCount == 1 {
                await bench.settle()
                bench.time.advance(by: 5)
            }
        }
        let trip = try #require(bench.model.currentTrip)
        #expect(trip.status == status && trip.activeRoute.isEmpty && trip.remainingWaypoints.isEmpty && trip.activeRoute.traffic.isEmpty)
    }
}
