import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

@Suite("The age of a position")
struct PositionAgeTests {
    @Test("late fixes, tunnels, and clocks that are wrong or are set", arguments: AgeCase.all)
    func table(_ item: AgeCase) throws {
        var tracker = FreshnessTracker()
        for fix in item.fixes {
            tracker.observe(try fix.answer(at: fix.received), now: SentFix.noon.addingTimeInterval(fix.received))
        }
        let last = try #require(item.fixes.last)
        let now = SentFix.noon.addingTimeInterval(last.received + item.later)
        let age = try #require(tracker.ageSeconds(now: now))
        #expect(abs(age - item.age) < 0.001, "\(age)")
        #expect(tracker.state(now: now, status: .enrouteToPickup, failure: nil) == item.word)
    }

    @Test("whatever the times of the fixes, no position is shown more than 5 s younger than it is")
    func everySchedule() throws {
        var moments = 0
        var lives = 0
        for seed in 1...200 as ClosedRange<UInt64> {
            var ride = RandomRide(seed: seed)
            let seen = try ride.follow()
            #expect(seen.hiddenSeconds <= 5.001, "seed \(seed)")
            moments += seen.moments
            lives += seen.lives
        }
        #expect(moments > 20_000 && lives > 1_000, "\(lives) of \(moments) moments were live")
    }

    @Test("a single silence of any length and at any time does not change the limits")
    func oneSilence() throws {
        var dice = SeededRandom(seed: 41)
        for _ in 0..<500 {
            let gap = dice.double(in: 1...20)
            let silence = dice.double(in: 20.001...2_000)
            let count = dice.int(in: 1...12)
            var tracker = FreshnessTracker()
            func observe(_ fix: SentFix) throws {
                tracker.observe(try fix.answer(at: fix.received), now: SentFix.noon.addingTimeInterval(fix.received))
            }
            for fix in SentFix.every(gap, count: count) { try observe(fix) }
            let quietAfter = tracker.quietAfterSeconds
            let end = Double(count - 1) * gap + silence
            try observe(SentFix(made: end, received: end))
            #expect(abs(tracker.quietAfterSeconds - quietAfter) < 0.001, "\(count) fixes \(gap) s apart, a silence of \(silence) s")
            #expect(tracker.notLiveAfterSeconds == 60)
        }
    }
}

/// A ride of a vehicle whose clock is correct. The vehicle sends its positions irregularly: promptly, late, in bursts, in any order, or
/// not at all.
private struct RandomRide {
    private var dice: SeededRandom
    private var fixes: [SentFix] = []

    init(seed: UInt64) {
        dice = SeededRandom(seed: seed)
        var moment = 0.0
        while moment < 1_500 { moment = addPhase(from: moment) }
        fixes.sort { $0.received < $1.received }
    }

    /// - Returns: the time at which the phase ends.
    private mutating func addPhase(from start: Double) -> Double {
        let kind = dice.int(in: 0...4)
        let end = start + dice.double(in: 10...300)
        guard kind > 0 else { return end }
        let gap = dice.double(in: 1...40)
        let lateness = dice.double(in: 0...1_200)
        let spacing = dice.double(in: 0.05...5)
        var made = Array(stride(from: start, to: end, by: gap))
        if kind == 2, dice.chance(0.5) { made.shuffle(using: &dice) }
        for (index, moment) in made.enumerated() {
            let received =
                switch kind {
                case 1: moment + dice.double(in: 0...4)
                case 2: end + Double(index) * spacing
                case 3: moment + dice.double(in: 0...200)
                default: moment + lateness + dice.double(in: 0...8)
                }
            fixes.append(SentFix(made: moment, received: received))
        }
        return end
    }

    /// Follows the ride. Ends early if the positions happen to satisfy ``ClockProof``, because the correct clock then seems wrong.
    mutating func follow() throws -> Comparison {
        let pollSeconds = dice.double(in: 1...30)
        let tellsClock = dice.chance(0.5)
        let hasServerTime = dice.chance(0.8)
        let localOffset = tellsClock ? dice.double(in: -100_000...100_000) : 0
        let exchange = dice.double(in: 0...2_500)
        var tracker = FreshnessTracker(pollIntervalSeconds: pollSeconds)
        var comparison = Comparison(localOffset: localOffset)
        var proof = ClockProof()
        var shown: SentFix?
        var latest: SentFix?
        var pending = fixes[...]
        for moment in stride(from: dice.double(in: 0...1_000), to: 2_500, by: pollSeconds) {
            while let next = pending.first, next.received <= moment { latest = pending.removeFirst() }
            guard var fix = latest else { continue }
            if moment >= exchange { fix.vehicle = "car-2" }
            if fix.vehicle != shown?.vehicle { proof = ClockProof() }
            let answer = try fix.answer(at: moment, hasServerTime: hasServerTime, tellsClock: tellsClock)
            if tracker.observe(answer, now: SentFix.noon.addingTimeInterval(moment + localOffset)) {
                shown = fix
                if hasServerTime, proof.isComplete(with: fix) { break }
            }
            guard let made = shown?.made else { continue }
            comparison.add(tracker, made: made, at: moment)
            comparison.add(tracker, made: made, at: moment + 0.9 * pollSeconds)
        }
        return comparison
    }
}

/// A comparison of a position's shown age with its true age at many moments.
private struct Comparison {
    /// The local clock minus the true time, in seconds.
    let localOffset: Double
    /// The largest value of the true age minus the shown age, in seconds.
    var hiddenSeconds = 0.0
    var moments = 0
    /// The number of moments at which the position was live.
    var lives = 0

    init(localOffset: Double) { self.localOffset = localOffset }

    mutating func add(_ tracker: FreshnessTracker, made: Double, at moment: Double) {
        let local = SentFix.noon.addingTimeInterval(moment + localOffset)
        let shown = tracker.ageSeconds(now: local) ?? -.infinity
        hiddenSeconds = max(hiddenSeconds, moment - made - shown)
        moments += 1
        if tracker.state(now: local, status: nil, failure: nil) == .live { lives += 1 }
    }
}

/// The rule that finds a wrong sensor clock. It needs at least twelve positions in a row, received over at least two minutes. Their delays
/// must differ by at most 5 s, and the greatest delay must be more than 5 s.
private struct ClockProof {
    private var fixes: [SentFix] = []

    mutating func isComplete(with fix: SentFix) -> Bool {
        fixes.append(fix)
        var first = fix.received
        var count = 0
        var smallest = Double.infinity
        var greatest = -Double.infinity
        for earlier in fixes.reversed() {
            let delay = earlier.received - earlier.made
            smallest = min(smallest, delay)
            greatest = max(greatest, delay)
            guard greatest - smallest <= 5 else { break }
            first = earlier.received
            count += 1
            if count >= 12, fix.received - first >= 120, greatest > 5 { return true }
        }
        return false
    }
}
