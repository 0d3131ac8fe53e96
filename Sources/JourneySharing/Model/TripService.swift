public import FleetEngine
public import FoundationEssentials

/// Makes trip models (`GMTCTripService`): one for each trip name, however often it is asked for. Of many, the polls are spread over the
/// interval: their second one comes early by chance. At most 64 are under way at once, or half as many again as it takes to keep the interval,
/// up to 1,000.
@MainActor
public final class TripService {
    private let client: any ConsumerClient
    private let time: any TimeSource
    private let minimumInterval: Double
    private var models: [TripName: Reference] = [:]
    private var nextSweep = 64
    /// The number of trips above which the polls of further ones are spread over the interval.
    nonisolated static let manyTrips = 16
    private var seed: UInt64
    private let round: PollRound

    private struct Reference {
        weak var model: TripModel?
    }

    /// - Parameters:
    ///   - client: the live client, or a recorded one.
    ///   - minimumInterval: seconds; 5 against Google's own server.
    ///   - seed: the seed of the random part of waits; tests give one.
    public init(
        client: any ConsumerClient, time: any TimeSource, minimumInterval: Double = PollMachine.Configuration.minimumInterval,
        seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.client = client
        self.time = time
        self.minimumInterval = minimumInterval
        self.seed = seed
        round = PollRound(time: time) { client.connectionsMade() }
    }

    /// Told once, when the interval of many trips cannot be kept, because the server or this program is too slow: how many trips are asked
    /// for now, their interval, and how often each is asked instead, seconds.
    public var onLate: (@MainActor (_ tripCount: Int, _ interval: Double, _ seconds: Double) -> Void)? {
        get { round.onLate }
        set { round.onLate = newValue }
    }

    /// The model of a trip. A model that exists already keeps its options.
    /// - Parameter bookedAt: when this program booked the trip: for a minute after that a missing trip is expected.
    public func tripModel(for name: TripName, options: TripModelOptions = TripModelOptions(), bookedAt: Date? = nil) -> TripModel {
        if let model = models[name]?.model { return model }
        seed &+= 0x9E37_79B9_7F4A_7C15
        let model = TripModel(
            tripName: name, client: client, time: time, round: round, options: options, minimumInterval: minimumInterval,
            bookedAt: bookedAt, isOneOfMany: models.count >= Self.manyTrips, seed: seed)
        forgetReleasedModels()
        models[name] = Reference(model: model)
        return model
    }

    /// Looks through all models only when they have doubled: many are made one after another.
    private func forgetReleasedModels() {
        guard models.count >= nextSweep else { return }
        models = models.filter { $0.value.model != nil }
        nextSweep = max(64, 2 * models.count)
    }

    /// The model of a trip whose full name is given.
    /// - Throws: `ResourceNameError` for anything but `providers/{provider}/trips/{trip}`.
    public func tripModel(forTripName name: String, options: TripModelOptions = TripModelOptions()) throws(ResourceNameError) -> TripModel {
        tripModel(for: try TripName(name), options: options)
    }
}
