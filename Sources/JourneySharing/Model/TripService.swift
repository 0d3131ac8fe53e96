public import FleetEngine
public import FoundationEssentials

/// Creates trip models (`GMTCTripService`), one for each trip name.
///
/// After the first 16 trips, the first wait of each further trip has a random length, so that the polls are spread over the interval. The
/// limit on polls in progress is 64. It grows up to 1,000 if this is necessary to keep the interval.
@MainActor
public final class TripService {
    private let client: any ConsumerClient
    private let time: any TimeSource
    private let minimumInterval: Double
    private var models = WeakModels<TripName, TripModel>()
    /// Number of trips that are polled without spreading. The polls of each further trip are spread over the interval.
    nonisolated static let manyTrips = 16
    private var seed: UInt64
    private let round: PollRound

    /// - Parameters:
    ///   - client: client of a server, or one that plays a recording.
    ///   - minimumInterval: shortest interval, in seconds; 5 for Google's own server.
    ///   - seed: seed of the random part of the waits, for tests.
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

    /// Called once when the interval of many trips cannot be kept, because the server or this program is too slow. The arguments are the
    /// number of followed trips, their interval, and the actual time between polls, in seconds.
    public var onLate: (@MainActor (_ tripCount: Int, _ interval: Double, _ seconds: Double) -> Void)? {
        get { round.onLate }
        set { round.onLate = newValue }
    }

    /// Returns the model of a trip. An existing model keeps its options.
    /// - Parameter bookedAt: time at which this program booked the trip; nil for other trips. For a minute after this time, the
    ///   server may not know the trip yet.
    public func tripModel(for name: TripName, options: TripModelOptions = TripModelOptions(), bookedAt: Date? = nil) -> TripModel {
        if let model = models[name] { return model }
        seed &+= 0x9E37_79B9_7F4A_7C15
        let model = TripModel(
            tripName: name, client: client, time: time, round: round, options: options, minimumInterval: minimumInterval,
            bookedAt: bookedAt, isOneOfMany: models.count >= Self.manyTrips, seed: seed)
        models.add(model, for: name)
        return model
    }

    /// Returns the model of the trip with this full name.
    /// - Throws: `ResourceNameError` unless the name is `providers/{provider}/trips/{trip}`.
    public func tripModel(forTripName name: String, options: TripModelOptions = TripModelOptions()) throws(ResourceNameError) -> TripModel {
        tripModel(for: try TripName(name), options: options)
    }
}
