import FleetEngine
import Geo

/// Combines NMEA 0183 sentences into fixes. The sentences of one moment, which is called an epoch, make one fix. The types RMC, GGA, GNS,
/// GLL, GST, VTG and ZDA are read.
///
/// A receiver writes checksums either always or never. After the first checksum, a sentence without a checksum must be a fragment, so it is
/// ignored. A fix without a date gets the date of the fix before it. The next day is used if the time of day is over 12 hours earlier than
/// that of the fix before. The previous day is used if the time of day is over 12 hours later.
public struct NMEAReader: Sendable {
    private struct Epoch {
        var timeOfDay: Double
        var lastType = ""
        var isTold = false
        /// Midnight of the date in the sentences, in seconds since 1970; nil without a date.
        var midnight: Double?
        /// Whether a sentence reports a missing fix.
        var isVoid = false
        /// Whether a sentence has the position 0,0, which means no fix.
        var hasZeroPlace = false
        var point = TrackPoint()
        var dilution: Double?
        var deviationMeters: Double?
    }

    private static let daySeconds = 86_400.0
    private static let metersPerSecondPerKnot = 1_852.0 / 3_600
    /// Midnight of 2000-01-01, in seconds since 1970. A stream without dates gets this date.
    private static let otherMidnight = 946_684_800.0

    private var epoch: Epoch?
    private var midnight: Double?
    private var lastTimeOfDay: Double?
    /// The type of the sentence that comes last in each epoch of this receiver; nil until the first epoch is complete.
    private var closingType: String?
    /// Whether the receiver writes checksums.
    private var hasChecksums = false
    /// Number of readable sentences.
    public private(set) var sentenceCount = 0
    /// Number of fixes left out because they are at exactly 0,0.
    private(set) var omittedCount = 0

    /// Creates a reader in its initial state.
    public init() {}

    /// Reads one line.
    /// - Returns: the fixes that are complete now.
    mutating func add(_ line: some Collection<UInt8>) -> [TrackPoint] {
        if NMEASentence.hasChecksum(line) { hasChecksums = true }
        guard let sentence = NMEASentence(line), sentence.isChecked || !hasChecksums else { return [] }
        sentenceCount += 1
        guard let index = Self.timeFields[sentence.type] else { return [] }
        var points: [TrackPoint] = []
        if let index {
            guard let time = sentence.timeOfDay(index) else { return [] }
            if let old = epoch, old.timeOfDay != time {
                if !old.isTold { points += point(of: old) }
                if old.lastType != "" { closingType = old.lastType }
                epoch = nil
            }
            if epoch == nil { epoch = Epoch(timeOfDay: time) }
        }
        guard var current = epoch else { return points }
        Self.merge(sentence, into: &current)
        current.lastType = sentence.type
        if !current.isTold, sentence.type == closingType {
            points += point(of: current)
            current.isTold = true
        }
        epoch = current
        return points
    }

    /// Reads a last line without a line break. Without a checksum the line is ignored, because it may be cut off.
    mutating func addLast(_ line: some Collection<UInt8>) -> [TrackPoint] { NMEASentence.hasChecksum(line) ? add(line) : [] }

    /// - Returns: the last fix, which is complete because no more sentences follow.
    mutating func finish() -> [TrackPoint] {
        defer { epoch = nil }
        return epoch.map { $0.isTold ? [] : point(of: $0) } ?? []
    }

    /// For each type of sentence, the index of the field with the time of day; nil for a type without a time.
    private static let timeFields: [String: Int?] = ["RMC": 1, "GGA": 1, "GNS": 1, "GLL": 5, "GST": 1, "ZDA": 1, "VTG": nil]

    private mutating func point(of epoch: Epoch) -> [TrackPoint] {
        let last = lastTimeOfDay.map { epoch.timeOfDay - $0 } ?? 0
        let day = last < -Self.daySeconds / 2 ? 1.0 : last > Self.daySeconds / 2 ? -1 : 0
        let start = epoch.midnight ?? midnight.map { $0 + day * Self.daySeconds }
        lastTimeOfDay = epoch.timeOfDay
        midnight = start ?? Self.otherMidnight
        guard !epoch.isVoid, epoch.point.coordinate.isValid else {
            if !epoch.isVoid, epoch.hasZeroPlace { omittedCount += 1 }
            return []
        }
        var point = epoch.point
        point.time = (start ?? Self.otherMidnight) + epoch.timeOfDay
        let accuracy = epoch.deviationMeters ?? epoch.dilution.map { $0 * TrackPoint.metersPerDilution }
        point.accuracy = accuracy ?? .nan
        return [point]
    }
}

// MARK: - Contents of sentences

extension NMEAReader {
    private static func merge(_ sentence: NMEASentence, into epoch: inout Epoch) {
        switch sentence.type {
        case "RMC":
            if sentence.text(2) != "A" { epoch.isVoid = true }
            setPlace(sentence, 3, &epoch)
            setMotion(sentence, knots: 7, course: 8, &epoch)
            epoch.midnight = midnight(sentence.text(9)) ?? epoch.midnight
        case "GGA":
            if !["1", "2", "3", "4", "5", "6", "7", "8"].contains(sentence.text(6)) { epoch.isVoid = true }
            setPlace(sentence, 2, &epoch)
            setQuality(sentence, dilution: 8, altitude: 9, separation: 11, &epoch)
        case "GNS":
            if sentence.text(6).allSatisfy({ $0 == "N" }) { epoch.isVoid = true }
            setPlace(sentence, 2, &epoch)
            setQuality(sentence, dilution: 8, altitude: 9, separation: 10, &epoch)
        case "GLL":
            if sentence.text(6) != "A" { epoch.isVoid = true }
            setPlace(sentence, 1, &epoch)
        case "VTG": setMotion(sentence, knots: 5, course: 1, &epoch)
        case "GST":
            if let north = sentence.number(6), let east = sentence.number(7), north >= 0, east >= 0 {
                epoch.deviationMeters = (north * north + east * east).squareRoot()
            }
        case "ZDA":
            if let day = sentence.number(2), let month = sentence.number(3), let year = sentence.number(4) {
                epoch.midnight = midnight(day: day, month: month, year: year) ?? epoch.midnight
            }
        default: break
        }
    }

    private static func setPlace(_ sentence: NMEASentence, _ index: Int, _ epoch: inout Epoch) {
        guard let place = sentence.place(index) else { return }
        guard Coordinate(latitude: place.latitude, longitude: place.longitude).isBelievablePosition else {
            epoch.hasZeroPlace = true
            return
        }
        (epoch.point.latitude, epoch.point.longitude) = place
    }

    private static func setMotion(_ sentence: NMEASentence, knots: Int, course: Int, _ epoch: inout Epoch) {
        if let speed = sentence.number(knots), speed >= 0 { epoch.point.speed = speed * metersPerSecondPerKnot }
        if let course = sentence.number(course), (0...360).contains(course) { epoch.point.course = course }
    }

    private static func setQuality(
        _ sentence: NMEASentence, dilution: Int, altitude: Int, separation: Int, _ epoch: inout Epoch
    ) {
        if let value = sentence.number(dilution), value > 0, value < 50 { epoch.dilution = value }
        if let above = sentence.number(altitude), let sea = sentence.number(separation) { epoch.point.altitude = above + sea }
    }

    /// Reads `ddmmyy`. Years from 80 on belong to the 20th century.
    private static func midnight(_ text: Substring) -> Double? {
        guard text.utf8.count == 6, let number = Int(text), number > 0 else { return nil }
        let year = number % 100
        return midnight(day: Double(number / 10_000), month: Double(number / 100 % 100), year: Double(year + (year < 80 ? 2_000 : 1_900)))
    }

    private static func midnight(day: Double, month: Double, year: Double) -> Double? {
        func padded(_ value: Double, _ count: Int) -> String {
            let digits = String(Int(value))
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        guard (1...31).contains(day), (1...12).contains(month), (1_980..<2_100).contains(year) else { return nil }
        return MomentText("\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T00:00:00Z").map { Double($0.seconds) }
    }
}

extension NMEAReader {
    /// Reads a file.
    /// - Parameter refill: returns the next piece; nil at the end.
    /// - Throws: `LocationFileError` for a file that has no sentence or no fix, has too many fixes, or cannot be read.
    public static func track(_ refill: () throws(LocationFileError) -> [UInt8]?) throws(LocationFileError) -> RecordedTrack {
        var reader = NMEAReader()
        var lines = LineSplitter(longestBytes: 4_096)
        var points: [TrackPoint] = []
        while let piece = try refill() {
            for line in lines.add(piece) { points += reader.add(line) }
            guard points.count <= RecordedTrack.maximumCount else { throw .tooLong }
        }
        if let rest = lines.finish() { points += reader.addLast(rest) }
        points += reader.finish()
        guard reader.sentenceCount > 0 else { throw .isNot("file of NMEA sentences") }
        guard !points.isEmpty else { throw .noPlaces("fix") }
        return RecordedTrack(recorded: points, omitted: reader.omittedCount)
    }
}
