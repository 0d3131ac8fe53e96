import FleetEngine
import FoundationEssentials
import Geo
import Glibc
import JourneySharing

/// Simulates a drive from the vehicle to the screen: the vehicle reports, polls read the reports (some polls are lost), and ten frames are
/// drawn per second.
struct MotionSimulation {
    struct Feed {
        var reportSeconds = 10.0
        var pollSeconds = 5.0
        var latencySeconds = 0.3
        var loss = 0.0
        /// The time between two uploads of the route ahead of the vehicle, in seconds. If nil, the whole route is uploaded once.
        var trimSeconds: Double?
        var seed: UInt64 = 1
    }

    /// The errors of the drawn vehicle's position, compared with its true position.
    struct Result: CustomStringConvertible {
        var meanLag = 0.0
        var errorMedian = 0.0
        var error95 = 0.0
        var ahead95 = 0.0
        var aheadMost = 0.0
        var backward = 0
        /// The length of each jump, in metres.
        var jumps: [Double] = []
        var frozen = 0.0
        var frames = 0

        var description: String {
            "mean lag \(Int(meanLag)), error p50 \(Int(errorMedian)) p95 \(Int(error95)), ahead p95 \(Int(ahead95)) "
                + "max \(Int(aheadMost)), backward \(backward), jumps \(jumps.map { Int($0) }), frozen \(Int(frozen * 1_000)) ‰"
        }
    }

    /// An answer with a position: the time at which the answer arrived, and the time at which the position was reported.
    struct Known {
        let arrival: Double
        let report: Double
    }

    static let framesPerSecond = 10.0
    /// A longer step from one frame to the next counts as a jump. The value is the step at 45 m/s, plus 3 m that the eye does not notice.
    static let jumpMeters = 45 / framesPerSecond + 3
    private static let margin = 60.0
    static let noon = Date(timeIntervalSince1970: 1_935_792_000)

    let drive: Drive
    let feed: Feed

    /// Returns all answers that are not lost.
    func answers() -> [Known] {
        var dice = SeededRandom(seed: feed.seed)
        var known: [Known] = []
        for poll in 0..<Int(drive.lengthSeconds / feed.pollSeconds) {
            let moment = Double(poll) * feed.pollSeconds
            if dice.chance(feed.loss) { continue }
            let report = ((moment - feed.latencySeconds) / feed.reportSeconds).rounded(.down) * feed.reportSeconds
            if report >= 0 { known.append(Known(arrival: moment + feed.latencySeconds, report: report)) }
        }
        return known
    }

    /// Returns the uploaded part of the road, and the length, in metres, of the part that was cut off before it.
    private func route(at report: Double) -> (coordinates: [Coordinate], cutMeters: Double) {
        guard let trim = feed.trimSeconds else { return (drive.road.coordinates, 0) }
        let cut = drive.meters(at: (report / trim).rounded(.down) * trim)
        return (drive.road.slice(fromMeters: cut, toMeters: drive.road.lengthMeters).coordinates, cut)
    }
}

// MARK: - The program

extension MotionSimulation {
    /// Returns the errors of the vehicle as the screen draws it, with the program's own tracker and motion.
    func drawn() throws -> Result {
        var trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: "car", status: .enrouteToDropoff)
        var tracker = FreshnessTracker(pollIntervalSeconds: feed.pollSeconds)
        var motion = VehicleMotion()
        var cut = 0.0
        var meter = Meter()
        var pending = answers()[...]
        drawEveryFrame { moment in
            let now = Self.noon.addingTimeInterval(moment)
            while let next = pending.first, next.arrival <= moment {
                pending = pending.dropFirst()
                let shown = route(at: next.report)
                (trip.activeRoute, cut) = (RouteLine(shown.0), shown.1)
                trip.lastLocation = location(at: next.report)
                trip.etaToNextWaypoint = now.addingTimeInterval(600 - feed.latencySeconds / 2)
                trip.remainingTimeToNextWaypointSeconds = 600
                let isNew = tracker.observe(trip, now: now)
                motion.ageCapSeconds = tracker.reportGapSeconds + tracker.pollIntervalSeconds
                motion.observe(trip, ageSeconds: tracker.ageSeconds(now: now), isNewFix: isNew, now: now)
            }
            guard let drawn = motion.frame(at: now) else { return }
            // If the drawn vehicle is not on the new route, it is still on the section that was cut off.
            let along = drawn.alongMeters.map { $0 + cut } ?? nearest(drawn.coordinate, before: cut)
            meter.note(
                along, drawn.coordinate, truth: drive.meters(at: moment), speed: drive.speed(at: moment), isCounted: moment >= Self.margin)
        }
        return meter.result()
    }

    private func nearest(_ place: Coordinate, before cut: Double) -> Double? {
        drive.road.nearest(to: place, alongMeters: max(0, cut - VehicleMotion.farthestBehindMeters)...max(cut, 1))?.alongMeters
    }

    private func location(at report: Double) -> VehicleLocation? {
        drive.road.coordinate(atMeters: drive.meters(at: report)).map {
            VehicleLocation(
                coordinate: $0, speedMetersPerSecond: drive.speed(at: report), updateTime: Self.noon.addingTimeInterval(report),
                serverTime: Self.noon.addingTimeInterval(report))
        }
    }

    private func drawEveryFrame(_ frame: (Double) -> Void) {
        let last = Int((drive.lengthSeconds - Self.margin) * Self.framesPerSecond)
        for index in 0..<max(0, last) { frame(Double(index) / Self.framesPerSecond) }
    }
}

extension VehicleMotion {
    fileprivate static let farthestBehindMeters = 450.0
}

// MARK: - The proposed rule

extension MotionSimulation {
    /// Returns the errors of the proposed rule, a simpler way to draw the vehicle. It uses exact positions along the road. The assumed
    /// speed decays with a time constant of 10 s. The drawn vehicle catches up with a time constant of 4 s.
    func proposed() -> Result {
        let cap = feed.reportSeconds + feed.pollSeconds
        var known: [Known] = []
        for answer in answers() where answer.report != known.last?.report { known.append(answer) }
        var next = 0
        var along = drive.meters(at: Self.margin)
        var meter = Meter()
        drawEveryFrame { moment in
            guard moment >= Self.margin else { return }
            while next + 1 < known.count, known[next + 1].arrival <= moment { next += 1 }
            let report = known[next].report
            let speed = drive.speed(at: report)
            let age = min(max(0, moment - report), cap)
            let fading = exp(-age / 10)
            let target = drive.meters(at: report) + speed * 10 * (1 - fading)
            if target - along > 400 {
                along = target
            } else {
                let rate = speed * fading * (age >= cap ? 0 : 1) + (target - along) / 4
                along += max(0, min(rate, 1.5 * max(speed, 3) + max(0, target - along) / 10)) / Self.framesPerSecond
            }
            meter.note(along, nil, truth: drive.meters(at: moment), speed: drive.speed(at: moment), isCounted: true)
        }
        return meter.result()
    }
}

/// Counts the errors in the drawing that a viewer would see.
struct Meter {
    private var errors: [Double] = []
    private var last: Double?
    private var lastPlace: Coordinate?
    private var seen = MotionSimulation.Result()

    /// - Parameters:
    ///   - drawn: position along the road at which the vehicle is drawn, in metres.
    ///   - place: coordinate at which the vehicle is drawn; nil if it is not drawn.
    ///   - truth: true position along the road, in metres.
    ///   - speed: true speed, in metres per second.
    mutating func note(_ drawn: Double?, _ place: Coordinate?, truth: Double, speed: Double, isCounted: Bool) {
        let step = zip(place, lastPlace).map { $0.distanceMeters(to: $1) } ?? abs((drawn ?? 0) - (last ?? drawn ?? 0))
        if let drawn, isCounted {
            if let last {
                if drawn < last - 0.01 { seen.backward += 1 }
                if step > MotionSimulation.jumpMeters { seen.jumps.append(max(step, abs(drawn - last))) }
                if drawn - last < 0.05 / MotionSimulation.framesPerSecond, speed > 3 { seen.frozen += 1 }
            }
            errors.append(truth - drawn)
        }
        last = drawn
        lastPlace = place
    }

    private func zip(_ a: Coordinate?, _ b: Coordinate?) -> (Coordinate, Coordinate)? {
        guard let a, let b else { return nil }
        return (a, b)
    }

    func result() -> MotionSimulation.Result {
        guard !errors.isEmpty else { return seen }
        func share(_ sorted: [Double], _ part: Double) -> Double { sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))] }
        let absolute = errors.map(abs).sorted()
        let ahead = errors.map { max(0, -$0) }.sorted()
        var finished = seen
        finished.frames = errors.count
        finished.meanLag = errors.reduce(0, +) / Double(errors.count)
        finished.errorMedian = share(absolute, 0.5)
        finished.error95 = share(absolute, 0.95)
        finished.ahead95 = share(ahead, 0.95)
        finished.aheadMost = ahead.last ?? 0
        finished.frozen /= Double(errors.count)
        return finished
    }
}
