import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

/// A position that a vehicle sent. Times are in seconds after noon.
struct SentFix: Sendable {
    /// The time at which the position was measured, by the sensor's clock.
    var made: Double
    /// The true time at which the server received the position.
    var received: Double
    var vehicle = "car-1"
    /// The server's clock minus the true time, in seconds, when the position is received.
    var serverAhead = 0.0

    static let noon = Date(timeIntervalSince1970: 1_935_792_000)

    /// Returns positions that are measured `gap` seconds apart, and sent immediately. The sensor's clock is `behind` seconds behind.
    static func every(
        _ gap: Double, from start: Double = 0, count: Int, behind: Double = 0, vehicle: String = "car-1", serverAhead: Double = 0
    ) -> [SentFix] {
        (0..<count).map { index in
            let moment = start + Double(index) * gap
            return SentFix(made: moment - behind, received: moment, vehicle: vehicle, serverAhead: serverAhead)
        }
    }

    /// Returns the server's answer at a moment when this position is the newest one.
    func answer(at moment: Double, hasServerTime: Bool = true, tellsClock: Bool = true) throws -> Trip {
        var trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: vehicle, status: .enrouteToPickup)
        trip.lastLocation = VehicleLocation(
            coordinate: Coordinate(latitude: 1, longitude: 1), updateTime: Self.noon.addingTimeInterval(made),
            serverTime: hasServerTime ? Self.noon.addingTimeInterval(received + serverAhead) : nil)
        if tellsClock {
            trip.etaToNextWaypoint = Self.noon.addingTimeInterval(moment + serverAhead + 300)
            trip.remainingTimeToNextWaypointSeconds = 300
        }
        return trip
    }
}

/// Positions that the program reads as soon as the server receives them, and the age and freshness expected `later` seconds after
/// the last one.
struct AgeCase: Sendable, CustomTestStringConvertible {
    let name: String
    let fixes: [SentFix]
    /// The time since the last position was received, in seconds.
    let later: Double
    let age: Double
    let word: Freshness

    init(_ name: String, _ fixes: [SentFix]..., later: Double = 0, age: Double, _ word: Freshness) {
        self.name = name
        self.fixes = fixes.flatMap { $0 }
        self.later = later
        self.age = age
        self.word = word
    }

    var testDescription: String { "\(name), \(later) s later" }

    static let all = [firstFixes, tunnels, backlogs, sensorClocks, vehicles, serverClocks].flatMap { $0 }

    private static func fix(made: Double, received: Double, serverAhead: Double = 0) -> [SentFix] {
        [SentFix(made: made, received: received, serverAhead: serverAhead)]
    }
}

// MARK: - First fixes and silences

extension AgeCase {
    private static let firstFixes: [AgeCase] = [
        AgeCase("a first fix of now", fix(made: 0, received: 0), age: 0, .live),
        AgeCase("a first fix of 30 s ago", fix(made: -30, received: 0), age: 30, .quiet),
        AgeCase("a first fix of 2 min ago", fix(made: -120, received: 0), age: 120, .notLive),
        AgeCase("a first fix of 10 min ago", fix(made: -600, received: 0), age: 600, .notLive),
        AgeCase("a first fix of 10 min ago", fix(made: -600, received: 0), later: 5, age: 605, .notLive),
        AgeCase("a first fix of 25 min ago", fix(made: -1_500, received: 0), age: 1_500, .notLive),
        AgeCase("a first fix of a day ago", fix(made: -86_400, received: 0), age: 86_400, .notLive),
    ]

    private static let every5 = SentFix.every(5, count: 21)
    private static let every10 = SentFix.every(10, count: 11)
    private static let twoFixes = SentFix.every(42, count: 2)
    private static let afterShortTunnel = fix(made: 138, received: 138)
    private static let afterLongTunnel = fix(made: 280, received: 280)

    private static let tunnels: [AgeCase] = [
        AgeCase("two fixes 42 s apart", twoFixes, later: 20, age: 20, .live),
        AgeCase("two fixes 42 s apart", twoFixes, later: 30, age: 30, .quiet),
        AgeCase("two fixes 42 s apart", twoFixes, later: 61, age: 61, .notLive),
        AgeCase("three fixes 42 s apart are a rhythm", SentFix.every(42, count: 3), later: 60, age: 60, .live),
        AgeCase("a tunnel of 38 s", every5, afterShortTunnel, later: 20, age: 20, .live),
        AgeCase("a tunnel of 38 s", every5, afterShortTunnel, later: 21, age: 21, .quiet),
        AgeCase("a tunnel of 38 s", every5, afterShortTunnel, later: 61, age: 61, .notLive),
        AgeCase("a tunnel of 3 min", every5, afterLongTunnel, age: 0, .live),
        AgeCase("a tunnel of 3 min", every5, afterLongTunnel, later: 21, age: 21, .quiet),
        AgeCase("a tunnel of 3 min", every5, afterLongTunnel, later: 61, age: 61, .notLive),
        AgeCase("a tunnel of 3 min after the first fix", SentFix.every(180, count: 2), later: 21, age: 21, .quiet),
        AgeCase("a tunnel of 3 min after the first fix", SentFix.every(180, count: 2), later: 61, age: 61, .notLive),
    ]

    /// Two positions measured 5 s apart. Each was sent 28 s late.
    private static let lateFixes = [SentFix(made: 105, received: 133), SentFix(made: 110, received: 138)]
    /// Positions measured in a tunnel over 3 min, and sent within 18 s at the end of the tunnel.
    private static let backlog = (1...18).map { SentFix(made: 100 + 10 * Double($0), received: 280 + Double($0)) }
    /// Positions measured in a longer tunnel. The program reads only every fifth one.
    private static let sampledBacklog = (1...6).map { SentFix(made: 100 + 50 * Double($0), received: 400 + 5 * Double($0)) }

    private static let backlogs: [AgeCase] = [
        AgeCase("fixes 28 s late", every5, lateFixes, age: 28, .quiet),
        AgeCase("a second fix 28 s late", fix(made: 0, received: 0), fix(made: 10, received: 38), age: 28, .quiet),
        AgeCase("the first fix of a backlog", every10, Array(backlog.prefix(1)), age: 171, .notLive),
        AgeCase("the last fix of a backlog", every10, backlog, age: 18, .live),
        AgeCase("the last fix of a backlog", every10, backlog, later: 3, age: 21, .quiet),
        AgeCase("the last fix that was seen of a backlog", every10, sampledBacklog, age: 30, .quiet),
        AgeCase("a fix that comes after a newer one", every10, fix(made: 55, received: 103), age: 48, .quiet),
    ]
}

// MARK: - Clocks

extension AgeCase {
    private static let proved = SentFix.every(11, count: 12, behind: 90)
    private static let provedByDay = SentFix.every(11, count: 12, behind: 86_400)
    private static let unsteady = (0..<40).map { index in
        let moment = 11 * Double(index)
        return SentFix(made: moment - (index.isMultiple(of: 2) ? 90 : 96), received: moment)
    }
    private static let everLater = (0..<13).map { SentFix(made: 10 * Double($0) - 90, received: 11 * Double($0)) }

    private static let sensorClocks: [AgeCase] = [
        AgeCase("a clock 90 s behind, twelve fixes over two minutes", proved, age: 0, .live),
        AgeCase("a clock a day behind, twelve fixes over two minutes", provedByDay, age: 0, .live),
        AgeCase("a clock 90 s behind, eleven fixes over two minutes", SentFix.every(12.5, count: 11, behind: 90), age: 90, .notLive),
        AgeCase("a clock 90 s behind, twelve fixes within two minutes", SentFix.every(10, count: 12, behind: 90), age: 90, .notLive),
        AgeCase("a clock 90 s behind, forty fixes that are not steady", unsteady, age: 96, .notLive),
        AgeCase("fixes that arrive farther apart than they were made", everLater, age: 102, .notLive),
        AgeCase("a clock proved 90 s behind, and a fix 40 s late", proved, fix(made: 5, received: 135), age: 40, .quiet),
        AgeCase("a clock 90 s ahead", fix(made: 90, received: 0), age: 0, .live),
        AgeCase("a fix from the future", SentFix.every(10, count: 3), fix(made: 3_600, received: 25), age: 5, .live),
    ]

    private static func otherVehicle(behind: Double) -> [SentFix] {
        SentFix.every(5, from: 130, count: 1, behind: behind, vehicle: "car-2")
    }

    private static let vehicles: [AgeCase] = [
        AgeCase("another vehicle, of now", proved, otherVehicle(behind: 0), age: 0, .live),
        AgeCase("another vehicle, 90 s late", proved, otherVehicle(behind: 90), age: 90, .notLive),
        AgeCase("another vehicle, 25 min late", proved, otherVehicle(behind: 1_500), age: 1_500, .notLive),
    ]

    private static let beforeSetting = SentFix.every(10, count: 6)
    private static let setForward = SentFix.every(11, from: 60, count: 12, serverAhead: 3_600)
    private static let setBack = SentFix.every(11, from: 60, count: 1, serverAhead: -3_600)
    private static let bothSet = fix(made: 2_160, received: 60, serverAhead: 3_600)
    private static let setAfterProof = SentFix.every(11, from: 132, count: 1, behind: 90, serverAhead: 120)

    private static let serverClocks: [AgeCase] = [
        AgeCase("the server's clock set forward by an hour", beforeSetting, Array(setForward.prefix(1)), age: 3_600, .notLive),
        AgeCase("the server's clock set forward by an hour, twelve fixes ago", beforeSetting, setForward, age: 0, .live),
        AgeCase("the server's clock set back by an hour", beforeSetting, setBack, age: 0, .live),
        AgeCase("both clocks set forward by an hour, and a fix 25 min late", beforeSetting, bothSet, age: 1_500, .notLive),
        AgeCase("a proved clock, and the server's set forward by 2 min", proved, setAfterProof, age: 210, .notLive),
    ]
}
