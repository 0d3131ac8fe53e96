import ConsumerMap
import FleetEngine
import FoundationEssentials
import JourneySharing
import Synchronization
import TerminalCanvas
import Testing
import TripTesting

/// A server with one trip that never changes. While the server is down, every call fails.
private final class StandingTrip: ConsumerClient {
    private let down = Atomic(false)
    private let trip: Trip

    init(_ trip: Trip) { self.trip = trip }

    var isDown: Bool {
        get { down.load(ordering: .relaxed) }
        set { down.store(newValue, ordering: .relaxed) }
    }

    func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip {
        if isDown { throw FleetEngineError(code: .unavailable, message: "") }
        return trip
    }

    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle { Vehicle(name: name) }
    func renewToken(for name: TripName) async -> Bool { false }
}

/// A view that draws nothing. It keeps the time of each answer, and the freshness at each update.
@MainActor
private final class Notebook: JourneySharingSessionDelegate {
    private(set) var answers: [Date] = []
    private(set) var words: [Freshness?] = []

    func journeySharingSession(_ session: JourneySharingSession, didObserve update: TripUpdate) {
        let journey = session.journey(at: update.time)
        if case .trip = update.kind { answers.append(update.time) }
        words.append(journey.freshness)
    }
}

@Suite("A session, whatever displays it")
@MainActor
struct JourneySharingSessionTests {
    private let clock = ManualTimeSource()
    private let client: StandingTrip

    init() throws {
        var trip = Corner.trip(try #require(Corner.name()))
        trip.lastLocation = VehicleLocation(coordinate: Corner.place(400, 0), speedMetersPerSecond: 0, serverTime: clock.now())
        client = StandingTrip(trip)
    }

    private func model(interval: Double = 5) throws -> TripModel {
        let options = TripModelOptions(autoRefreshTimeInterval: interval)
        return TripService(client: client, time: clock, seed: 1).tripModel(for: try #require(Corner.name()), options: options)
    }

    /// Advances the clock to the next poll, and waits until the answer to this poll is reported.
    private func goOn() async throws {
        await clock.waitForSleepers()
        clock.advance(to: try #require(clock.deadlines.first))
        await clock.waitForSleepers()
    }

    @Test("the kind of trip that the user states is passed to the journey")
    func kind() throws {
        let session = JourneySharingSession(tripModel: try model(), time: clock, fallbackKind: .order)
        #expect(session.journey(at: clock.now()).kind == .order)
    }

    @Test("the session counts answers that change nothing, and reports each")
    func unchangedAnswers() async throws {
        let session = JourneySharingSession(tripModel: try model(), time: clock)
        let notebook = Notebook()
        session.delegate = notebook
        session.start()
        for _ in 0..<3 { try await goOn() }
        #expect(notebook.answers.count == 4)
        #expect(notebook.answers.last == clock.now() && session.journey(at: clock.now()).lastAnswerAt == clock.now())
        session.stop()
        #expect(session.tripModel.state == .inactive)
    }

    @Test(
        "positions are judged by the interval at which the model really polls",
        arguments: [(0.0, 5.0), (0.2, 1), (.nan, 5), (7, 7), (90_000, 3_600)])
    func pollInterval(wanted: Double, real: Double) async throws {
        let model = try model(interval: wanted)
        let session = JourneySharingSession(tripModel: model, time: clock)
        session.start()
        await clock.waitForSleepers()
        #expect(model.pollIntervalSeconds == real && session.journey(at: clock.now()).pollIntervalSeconds == real)
        model.options.autoRefreshTimeInterval = 12
        try await goOn()
        #expect(session.journey(at: clock.now()).pollIntervalSeconds == 12)
        session.stop()
    }

    @Test("every listener learns of a failure, and of its end")
    func failure() async throws {
        let session = JourneySharingSession(tripModel: try model(), time: clock)
        let notebook = Notebook()
        session.delegate = notebook
        let view = MapView()
        view.show(session)
        await clock.waitForSleepers()
        client.isDown = true
        try await goOn()
        #expect(notebook.words.last == .offline && !session.journey(at: clock.now()).isLive)
        client.isDown = false
        try await goOn()
        #expect(notebook.words.last == .live && session.journey(at: clock.now()).isLive)
        view.hide(session)
    }

    @Test("a session that starts late gets what its model has received")
    func late() async throws {
        let model = try model()
        let first = JourneySharingSession(tripModel: model, time: clock)
        first.start()
        try await goOn()
        let second = JourneySharingSession(tripModel: model, time: clock)
        second.start()
        #expect(second.journey(at: clock.now()).trip == first.journey(at: clock.now()).trip)
        #expect(second.journey(at: clock.now()).vehicle != nil)
        first.stop()
        #expect(model.state == .active)
        second.stop()
        #expect(model.state == .inactive)
    }
}
