package import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TerminalCanvas

/// The state of a trip in a few words, for a prompt, a status bar or a script.
package struct StatusReport: Sendable {
    /// Options for the wording of a report.
    package struct Options: Sendable {
        /// Returns the offset of the displayed time zone from GMT at a time, in seconds.
        package var secondsFromGMT: @Sendable (Date) -> Int
        package var measurementSystem: MeasurementSystem
        /// Whether to use only ASCII characters, for terminals that cannot show other characters.
        package var isASCII: Bool
        /// The trip's title in the output; nil to show its id.
        package var title: String?

        package init(
            secondsFromGMT: @escaping @Sendable (Date) -> Int = { _ in 0 }, measurementSystem: MeasurementSystem = .metric,
            isASCII: Bool = false, title: String? = nil
        ) {
            self.secondsFromGMT = secondsFromGMT
            self.measurementSystem = measurementSystem
            self.isASCII = isASCII
            self.title = title
        }
    }

    /// The phase in one word, for style sheets and scripts.
    package enum Phase: String, CaseIterable, Sendable {
        case looking, enroute, here, riding, stop, complete, cancelled, unknown
    }

    package let journey: JourneyTracker
    let card: VehicleCard?
    package let now: Date
    let options: Options
    package let glyphs: GlyphTier

    /// - Parameters:
    ///   - vehicle: the answer to GetVehicle; nil if there was no answer.
    ///   - now: current time by the local clock.
    package init(_ journey: JourneyTracker, vehicle: Vehicle? = nil, now: Date, options: Options = Options()) {
        self.journey = journey
        self.now = now
        self.options = options
        glyphs = GlyphTier(options.isASCII ? .ascii : .braille)
        card = (journey.trip?.vehicleID ?? vehicle?.name.vehicle).map {
            VehicleCard(id: $0, vehicle: vehicle, attributes: journey.trip?.attributes ?? [:])
        }
    }

    var status: TripStatus { journey.trip?.status ?? .unknown }

    private var phrases: StatusPhrases { StatusPhrases.of(journey, stops: TripNames.stops(of: journey.trip)) }

    package var phase: Phase { phrases.style }

    /// Whether a countdown is shown, because the car is on its way to one of this trip's stops.
    private var isCounting: Bool { phrases.standing == nil }

    /// The countdown: `6 min`, `about 6 min`. If no countdown is shown, a word such as `here` or `arrived`.
    package var eta: String {
        let eta = journey.etaText(now: now)
        // While the delivery time is unknown, the words for the status say more than a countdown.
        if journey.kind == .order, eta.value == .unknown { return phrases.standing ?? phrases.brief ?? eta.text }
        return phrases.standing ?? eta.text
    }

    /// For a complete trip, the clock time of its end. Otherwise, the clock time of the arrival; empty while the arrival is unknown, and if
    /// no countdown is shown.
    package var clock: String {
        if phase == .complete { return journey.arrivedAt(now: now).map { clock($0) } ?? "" }
        guard isCounting, let shown = journey.forecast.shown else { return "" }
        return clock(shown)
    }

    /// The remaining distance to the trip's next stop; empty while unknown.
    package var distance: String {
        guard isCounting, let meters = journey.estimate?.remainingMeters else { return "" }
        return DistanceText.left(meters: meters, system: options.measurementSystem)
    }

    /// The phase as the rider sees it.
    package var state: String { phrases.phase }

    /// The plate, or the vehicle's id if the plate is unknown; empty without a vehicle.
    package var vehicle: String { card.map { $0.plate.isEmpty ? $0.id : $0.plate } ?? "" }

    /// The title, or the trip's bare id if no title was given.
    package var trip: String { sanitised(options.title ?? journey.tripName.trip, maximumLength: 80) }

    /// The word for the position's age, such as `live` or `quiet`; empty without a position.
    package var freshness: String { journey.freshness.map { FailureWords.freshness($0, after: journey.failure) } ?? "" }

    /// The age of the position in words, such as `42 s`; empty while unknown.
    var age: String { journey.ageSeconds(now: now).map(TripWords.age) ?? "" }

    /// Returns a progress bar for the current leg, `width` (1 to 200) characters wide.
    package func bar(width: Int) -> String {
        let fraction = status == .complete || journey.isAtStop ? 1 : journey.progress.fraction
        return ProgressBar(fraction: fraction, painter: glyphs.isASCII ? .ascii : .braille).text(columns: min(max(width, 1), 200))
    }

    /// The progress on the current leg, in percent; nil while unknown.
    package var percentage: Int? {
        if status == .complete || journey.isAtStop { return 100 }
        return journey.progress.fraction.map { Int(($0.clampedToUnit * 100).rounded(.down)) }
    }

    private func clock(_ date: Date) -> String {
        Timestamps.clock(date, now: now, secondsFromGMT: options.secondsFromGMT)
    }
}

extension Double {
    fileprivate var clampedToUnit: Double { isNaN ? 0 : Swift.min(Swift.max(self, 0), 1) }
}
