import FleetEngine
import FleetEngineAPI
import FleetEngineGRPC
import FoundationEssentials
import GRPCCore
import Geo
import JourneySharing
import SwiftProtobuf
import Testing
import TripTesting

private let name = "providers/demo/trips/t1"

private func wireTrip(_ status: WireTripStatus, _ change: (inout WireTrip) -> Void = { _ in }) -> WireTrip {
    .with {
        $0.name = name
        $0.tripStatus = status
        $0.vehicleID = "car"
        change(&$0)
    }
}

private func point(_ latitude: Double, _ longitude: Double) -> WireLatLng {
    .with {
        $0.latitude = latitude
        $0.longitude = longitude
    }
}

/// Creates a model that polls a scripted server over a real socket, with a clock that the test moves.
@MainActor
private func follow(
    _ engine: ScriptedFleetEngine, tokens: (any AccessTokenProvider)? = nil,
    _ body: @escaping @MainActor (TripModel, ManualTimeSource) async throws -> Void
) async throws {
    let time = ManualTimeSource()
    try await engine.serve { port in
        let endpoint = try ServerEndpoint("127.0.0.1:\(port)", security: .plaintext)
        let cache = tokens.map { AccessTokenCache(provider: $0, time: time) }
        try await withFleetEngineClient(endpoint: endpoint, identity: .init(role: .consumer, version: "test"), tokens: cache) { client in
            try await run(client, time, body)
        }
    }
}

@MainActor
private func run(
    _ client: any ConsumerClient, _ time: ManualTimeSource, _ body: @MainActor (TripModel, ManualTimeSource) async throws -> Void
) async throws {
    let service = TripService(client: client, time: time, seed: 3)
    try await body(try service.tripModel(forTripName: name), time)
}

/// Reads updates until one fulfils the condition.
private func next(
    _ updates: inout AsyncStream<TripUpdate>.Iterator, where matches: @Sendable (TripUpdate.Kind) -> Bool
) async throws -> TripUpdate.Kind {
    while let update = await updates.next() { if matches(update.kind) { return update.kind } }
    throw Missing()
}

private struct Missing: Error {}

@Sendable private func isTrip(_ kind: TripUpdate.Kind) -> Bool { if case .trip = kind { true } else { false } }
@Sendable private func isFailure(_ kind: TripUpdate.Kind) -> Bool { if case .failure = kind { true } else { false } }

@MainActor
private final class Notebook: TripModelSubscriber {
    var lines: [String] = []
    var onStatus: ((TripModel) -> Void)?

    func tripModel(_ tripModel: TripModel, didUpdateTripStatus status: FleetEngine.TripStatus) {
        lines.append("status \(status.name)")
        onStatus?(tripModel)
    }
    func tripModel(_ tripModel: TripModel, didUpdatePickupETA time: Date?) { lines.append("pickup time") }
    func tripModel(_ tripModel: TripModel, didUpdateActiveRoute route: RouteLine?) {
        lines.append("route \(route?.coordinates.count ?? 0)")
    }
    func tripModel(_ tripModel: TripModel, didUpdate trip: Trip, updatedPropertyFields fields: TripPropertyFields) { lines.append("trip") }
    func tripModel(_ tripModel: TripModel, didFailUpdateTrip failure: PollFailure) { lines.append("failure \(failure.error.code.name)") }
    func tripModel(_ tripModel: TripModel, didRecoverAfterSeconds seconds: Double) { lines.append("recovered") }
    func tripModel(_ tripModel: TripModel, didUpdateModelState state: TripModelState) { lines.append("\(state)") }
}

@Suite("Trip model", .timeLimit(.minutes(1)))
struct TripModelTests {
    @Test("a subscriber hears specific changes first, then the whole trip, and finally the end")
    @MainActor
    func callbacks() async throws {
        let engine = ScriptedFleetEngine { _, call, _ in
            call == 1 ? wireTrip(.new) { $0.pickupTime.seconds = 1_935_756_300 } : wireTrip(.complete)
        }
        try await follow(engine) { model, time in
            let notebook = Notebook()
            var updates = model.updates.makeAsyncIterator()
            model.register(notebook)
            _ = try await next(&updates, where: isTrip)
            #expect(notebook.lines == ["active", "status NEW", "pickup time", "trip"])
            await time.waitForSleepers()
            #expect(time.deadlines == [time.now().addingTimeInterval(5)])
            time.advance(by: 5)
            _ = try await next(&updates) { $0 == .ended(.complete) }
            while await updates.next() != nil {}
            #expect(notebook.lines.suffix(4) == ["status COMPLETE", "pickup time", "trip", "inactive"])
            #expect(engine.callCount == 2)
        }
    }

    @Test("versions are sent back as they came; an unset field is unchanged, a new version without content clears it")
    @MainActor
    func incremental() async throws {
        let engine = ScriptedFleetEngine { request, call, _ in
            wireTrip(.enrouteToPickup) { trip in
                switch call {
                case 1:
                    #expect(!request.hasCurrentRouteSegmentVersion)
                    #expect(request.view == .journeySharingV1S)
                    #expect(request.routeFormatType == .latLngListType)
                    trip.route = [point(1, 1), point(1, 1.01)]
                    trip.currentRouteSegmentVersion = .with {
                        $0.seconds = 77; $0.nanos = 123_456_789
                    }
                case 2:
                    #expect(request.currentRouteSegmentVersion.seconds == 77)
                    #expect(request.currentRouteSegmentVersion.nanos == 123_456_789)
                    trip.currentRouteSegmentVersion = request.currentRouteSegmentVersion
                default: trip.currentRouteSegmentVersion = .with { $0.seconds = 78 }
                }
            }
        }
        try await follow(engine) { model, time in
            var updates = model.updates.makeAsyncIterator()
            for expected in [2, 2, 0] {
                guard case .trip(let trip, _) = try await next(&updates, where: isTrip) else { throw Missing() }
                #expect(trip.activeRoute.coordinates.count == expected)
                await time.waitForSleepers()
                time.advance(by: 5)
            }
        }
    }

    @Test("each code is reported unchanged, and the trip is kept", arguments: StatusCode.allCases.filter { $0 != .ok })
    @MainActor
    func codes(code: StatusCode) async throws {
        let engine = ScriptedFleetEngine { _, call, _ in
            guard call != 2 else { throw RPCError(code: RPCError.Code(code), message: "said \(code.name)") }
            return wireTrip(.enrouteToPickup)
        }
        try await follow(engine) { model, time in
            var updates = model.updates.makeAsyncIterator()
            _ = try await next(&updates, where: isTrip)
            await time.waitForSleepers()
            time.advance(by: 5)
            guard case .failure(let failure) = try await next(&updates, where: isFailure) else { throw Missing() }
            #expect(failure.error.code == code)
            #expect(failure.error.message == "said \(code.name)")
            #expect(model.currentTrip?.status == .enrouteToPickup)
            model.refresh()
            guard case .recovered = try await next(&updates, where: { !isFailure($0) && !isTrip($0) }) else { throw Missing() }
            _ = try await next(&updates, where: isTrip)
            #expect(model.currentFailure == nil)
        }
    }

    @Test("a subscriber that leaves during a callback hears nothing more; a released one is removed")
    @MainActor
    func comingAndGoing() async throws {
        let engine = ScriptedFleetEngine { _, call, _ in wireTrip(call == 1 ? .new : .enrouteToPickup) }
        try await follow(engine) { model, time in
            var updates = model.updates.makeAsyncIterator()
            let leaver = Notebook()
            leaver.onStatus = { $0.unregister(leaver) }
            model.register(leaver)
            model.register(leaver)
            var released: Notebook? = Notebook()
            if let notebook = released { model.register(notebook) }
            released = nil
            _ = try await next(&updates, where: isTrip)
            #expect(leaver.lines.filter { $0 != "active" } == ["status NEW"])
            leaver.onStatus = nil
        }
    }

    @Test("the last one to leave ends the polling; returning starts it again")
    @MainActor
    func stopAndStart() async throws {
        let engine = ScriptedFleetEngine { _, _, _ in wireTrip(.new) }
        try await follow(engine) { model, time in
            let notebook = Notebook()
            model.register(notebook)
            await time.waitForSleepers()
            model.unregister(notebook)
            #expect(model.state == .inactive)
            while !time.deadlines.isEmpty, !Task.isCancelled { await Task.yield() }
            #expect(engine.callCount == 1)
            time.advance(by: 1)
            model.register(notebook)
            await time.waitForSleepers()
            #expect(engine.callCount == 2)
            model.unregister(notebook)
        }
    }

    @Test("a changed interval applies to the current wait")
    @MainActor
    func changedOptions() async throws {
        let engine = ScriptedFleetEngine { _, _, _ in wireTrip(.new) }
        try await follow(engine) { model, time in
            var updates = model.updates.makeAsyncIterator()
            _ = try await next(&updates, where: isTrip)
            await time.waitForSleepers()
            model.options.autoRefreshTimeInterval = 60
            while time.deadlines != [time.now().addingTimeInterval(60)], !Task.isCancelled { await Task.yield() }
            model.options.autoRefreshTimeInterval = 2
            while time.deadlines != [time.now().addingTimeInterval(2)], !Task.isCancelled { await Task.yield() }
            time.advance(by: 2)
            _ = try await next(&updates, where: isTrip)
            #expect(engine.callCount == 2)
        }
    }

    @Test("a changed language and region are sent with the next request; without them the client's own are sent")
    @MainActor
    func changedHeader() async throws {
        let engine = ScriptedFleetEngine { request, _, _ in
            wireTrip(.new) { $0.vehicleID = "\(request.header.languageCode)-\(request.header.regionCode)" }
        }
        try await follow(engine) { model, time in
            var updates = model.updates.makeAsyncIterator()
            var heard: [String?] = []
            for header in [nil, TripRequestHeader(languageCode: "de", regionCode: "AT"), TripRequestHeader(regionCode: "CH"), nil] {
                model.options.tripRequestHeader = header
                if !heard.isEmpty {
                    await time.waitForSleepers()
                    time.advance(by: 5)
                }
                _ = try await next(&updates, where: isTrip)
                heard.append(model.currentTrip?.vehicleID)
            }
            #expect(heard == ["en-US", "de-AT", "en-CH", "en-US"])
        }
    }

    @Test("a refused token is dropped and renewed once, without a report; its text is never shown")
    @MainActor
    func tokens() async throws {
        let provider = CountingTokens()
        let engine = ScriptedFleetEngine { _, _, metadata in
            let sent = Array(metadata[stringValues: "authorization"])
            guard sent == ["Bearer secret-2"] else { throw RPCError(code: .unauthenticated, message: "no") }
            return wireTrip(.new)
        }
        try await follow(engine, tokens: provider) { model, _ in
            var updates = model.updates.makeAsyncIterator()
            let first = try await next(&updates) { isTrip($0) || isFailure($0) }
            #expect(isTrip(first))
            #expect(await provider.count == 2)
            #expect(!"\(AccessToken(secret: "hidden"))".contains("hidden"))
        }
    }

    @Test("a service has one model for each name; a malformed name is refused with an explanation")
    @MainActor
    func service() async throws {
        let engine = ScriptedFleetEngine { _, _, _ in wireTrip(.new) }
        try await follow(engine) { model, time in
            let service = TripService(client: NoClient(), time: time)
            let a = try service.tripModel(forTripName: name)
            #expect(a === (try service.tripModel(forTripName: name)))
            #expect(throws: ResourceNameError.self) { try service.tripModel(forTripName: "providers/demo/t1") }
        }
    }

    @Test("random bytes, truncated trips and impossible values do no harm")
    @MainActor
    func garbage() async throws {
        var dice = SeededRandom(seed: 5)
        let good: [UInt8] = try wireTrip(.enrouteToPickup) { trip in
            trip.lastLocation.location = point(.nan, 500)
            trip.lastLocation.rawLocation = point(1, 2)
            trip.lastLocation.heading = .init(-721)
            trip.lastLocation.speed = .init(.infinity)
            trip.remainingDistanceMeters = .init(-5)
            trip.pickupTime = .with {
                $0.seconds = .max; $0.nanos = -1
            }
            trip.route = [point(91, 0), point(1, 1), point(.infinity, 0)]
            trip.remainingWaypoints = [
                .with {
                    $0.distanceMeters = .init(-1); $0.location.point = point(1, 1)
                }
            ]
            trip.currentRouteSegmentTraffic.speedReadingInterval = [
                .with {
                    $0.startPolylinePointIndex = -3; $0.endPolylinePointIndex = .max
                }
            ]
        }.serializedBytes()
        var answers: [[UInt8]] = [good]
        for cut in stride(from: 1, to: good.count, by: 3) { answers.append(Array(good.prefix(cut))) }
        for _ in 0..<100 {
            var bytes = good
            for _ in 0..<dice.int(in: 1...6) { bytes[dice.int(in: 0...(bytes.count - 1))] = UInt8(dice.int(in: 0...255)) }
            answers.append(bytes)
            answers.append((0..<dice.int(in: 0...200)).map { _ in UInt8(dice.int(in: 0...255)) })
        }
        let all = answers
        let engine = ScriptedFleetEngine(rawGetTrip: { call in all[min(call, all.count) - 1] })
        try await follow(engine) { model, time in
            var updates = model.updates.makeAsyncIterator()
            for index in all.indices {
                let kind = try await next(&updates) { isTrip($0) || isFailure($0) }
                if index == 0 {
                    guard case .trip(let trip, _) = kind else { throw Missing() }
                    #expect(trip.lastLocation?.coordinate == Coordinate(latitude: 1, longitude: 2))
                    #expect(trip.lastLocation?.headingDegrees == 359)
                    #expect(trip.lastLocation?.speedMetersPerSecond == nil)
                    #expect(trip.remainingDistanceMeters == nil)
                    #expect(trip.pickupTime == nil)
                    #expect(trip.activeRoute == RouteLine([Coordinate(latitude: 1, longitude: 1)]))
                }
                if model.currentTrip?.status.isFinal == true { return }
                await time.waitForSleepers()
                time.advance(by: 400)
            }
        }
    }

    @Test("a route of 100,000 points is read; an answer beyond the limit is an error, not a crash")
    @MainActor
    func large() async throws {
        let many = (0..<100_000).map { point(1 + Double($0) * 1e-5, 2) }
        let engine = ScriptedFleetEngine { _, call, _ in
            wireTrip(.enrouteToPickup) { trip in
                trip.route = many
                if call == 2 {
                    trip.attributes = (0..<20).map { index in
                        .with {
                            $0.key = "\(index)"; $0.stringValue = String(repeating: "x", count: 1 << 20)
                        }
                    }
                }
            }
        }
        try await follow(engine) { model, time in
            var updates = model.updates.makeAsyncIterator()
            guard case .trip(let trip, _) = try await next(&updates, where: isTrip) else { throw Missing() }
            #expect(trip.activeRoute.coordinates.count == 100_000)
            await time.waitForSleepers()
            time.advance(by: 5)
            guard case .failure(let failure) = try await next(&updates, where: isFailure) else { throw Missing() }
            #expect(failure.errorClass == .retryable)
            #expect(failure.error.code == .internal)
            #expect(failure.error.message.contains("larger than"))
        }
    }
}

private actor CountingTokens: AccessTokenProvider {
    private(set) var count = 0
    nonisolated var canRenew: Bool { true }

    func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
        guard context.tripID == "t1" else { throw .missingAuthorizationContext }
        count += 1
        return AccessToken(secret: "secret-\(count)")
    }
}

private struct NoClient: ConsumerClient {
    func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip {
        throw FleetEngineError(code: .unavailable, message: "")
    }
    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle {
        throw FleetEngineError(code: .unavailable, message: "")
    }
    func renewToken(for name: TripName) async -> Bool { false }
}

extension RPCError.Code {
    fileprivate init(_ code: StatusCode) {
        self = Status.Code(rawValue: code.rawValue).flatMap { RPCError.Code($0) } ?? .unknown
    }
}
