import Dispatch
import FleetEngine
import Foundation
import Geo
import Navigation
import PhoneIntake
import Testing
import TripTesting

@testable import LocationSources

@Suite("Streams of positions")
struct StreamTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func lines(_ format: StreamFormat, _ texts: String...) -> [LocationFix] {
        var lines = PositionLines(format)
        return texts.flatMap { lines.add(Array($0.utf8), at: now) }
    }

    private static let owntracks = #"{"_type":"location","lat":48.5,"lon":2.25,"tst":1699999990,"acc":5,"vel":61,"cog":271}"#

    @Test("each phone's format is read from its lines, with its units")
    func formats() throws {
        let all: [(StreamFormat, String)] = [
            (.phone(.owntracks), Self.owntracks),
            (.phone(.osmand), "lat=48.5&lon=2.25&timestamp=1699999990&speed=16.944&accuracy=5&bearing=271"),
            (
                .phone(.gpslogger),
                "GET /car/KEY/gpslogger?lat=48.5&lon=2.25&timestamp=1699999990&speed=16.944&accuracy=5&bearing=271 HTTP/1.1"
            ),
            (.phone(.traccar), "id=7&lat=48.5&lon=2.25&timestamp=1699999990&speed=32.937&accuracy=5&bearing=271"),
            (
                .phone(.traccar),
                #"{"location":{"timestamp":"2023-11-14T22:13:10Z","coords":{"latitude":48.5,"longitude":2.25,"accuracy":5,"speed":16.944,"heading":271}}}"#
            ),
            (
                .phone(.overland),
                #"{"locations":[{"geometry":{"coordinates":[2.25,48.5]},"properties":{"timestamp":"2023-11-14T22:13:10Z","speed":16.944,"horizontal_accuracy":5,"course":271}}]}"#
            ),
            (
                .phone(.forward),
                #"{"position":{"latitude":48.5,"longitude":2.25,"speed":32.937,"course":271,"accuracy":5,"fixTime":"2023-11-14T22:13:10.000+00:00"}}"#
            ),
        ]
        for (format, line) in all {
            let fix = try #require(lines(format, line).first, "\(format.name)")
            #expect(fix.coordinate == Coordinate(latitude: 48.5, longitude: 2.25), "\(format.name)")
            #expect(fix.time.timeIntervalSince1970 == 1_699_999_990, "\(format.name)")
            #expect(abs(try #require(fix.speedMetersPerSecond) - 16.944) < 0.01, "\(format.name)")
            #expect(fix.courseDegrees == 271 && fix.accuracyMeters == 5, "\(format.name)")
        }
    }

    @Test("a topic before the message, or mosquitto's own wrapping, does no harm; values that a phone does not know stay unknown")
    func wrapped() {
        let quoted = Self.owntracks.replacingOccurrences(of: "\"", with: "\\\"")
        let format = StreamFormat.phone(.owntracks)
        let fixes = lines(
            format, Self.owntracks, "owntracks/a/b \(Self.owntracks)", #"{"tst":"x","topic":"t","payload":"\#(quoted)"}"#,
            #"{"tst":"x","topic":"t","payload":\#(Self.owntracks)}"#)
        #expect(fixes.count == 4 && Set(fixes).count == 1)
        let bare = lines(format, #"{"_type":"location","lat":1,"lon":2,"tst":1699999990,"acc":0,"vel":-1,"cog":-1}"#)
        #expect(bare.first?.accuracyMeters == nil && bare.first?.speedMetersPerSecond == nil && bare.first?.courseDegrees == nil)
        #expect(lines(format, #"{"_type":"lwt"}"#, #"{"_type":"location","lat":999,"lon":2,"tst":1699999990}"#).isEmpty)
    }

    @Test("after a hundred unreadable lines in a row, the stream counts as broken", arguments: StreamFormat.allCases)
    func broken(format: StreamFormat) {
        var reader = PositionLines(format)
        let hostile = [
            "\u{1B}]0;x\u{7}", "{", String(repeating: "[", count: 5_000), "{\"payload\":" + String(repeating: "{\"payload\":", count: 400),
            "lat=&lon=",
        ]
        for index in 0..<99 { #expect(reader.add(Array(hostile[index % hostile.count].utf8), at: now).isEmpty) }
        #expect(!reader.isBroken && !reader.hasRead)
        _ = reader.add(Array("x".utf8), at: now)
        #expect(reader.isBroken)
    }

    @Test("messages without a position do not break the stream, however many there are")
    func heartbeats() {
        for (format, text) in [(PhoneFormat.traccar, "id=7&batt=41"), (.overland, #"{"locations":[]}"#)] {
            var reader = PositionLines(.phone(format))
            for _ in 0..<200 { #expect(reader.add(Array(text.utf8), at: now).isEmpty) }
            #expect(!reader.isBroken && reader.hasRead)
        }
    }

    @Test("lists of fixes are read, with or without a topic before them, and so is JSON of apps that send forms")
    func lists() {
        let fix = #"{"lat":48.5,"lon":2.25,"timestamp":1699999990,"speed":3.5}"#
        for text in ["[\(fix)]", "cars/7 [ \(fix)]", fix, "cars/7 \(fix)"] {
            #expect(lines(.phone(.gpslogger), text).map(\.speedMetersPerSecond) == [3.5], "\(text)")
        }
        #expect(lines(.phone(.traccar), "[\(fix),\(fix)]").count == 2)
    }

    @Test("an incomplete last line gives no position; a complete one without a line end does")
    func halfLine() {
        for (format, text) in [
            (StreamFormat.phone(.owntracks), Self.owntracks),
            (.nmea, sentence("GPRMC,100000.00,A,4516.0,N,01342.0,E,9,7.0,290224,,,A").dropLast().description),
        ] {
            for count in 0...text.utf8.count {
                var reader = PositionLines(format)
                let fixes = reader.finish(Array(text.utf8.prefix(count)), at: now)
                #expect(fixes.count == (count == text.utf8.count ? 1 : 0), "\(count)")
            }
        }
        var reader = PositionLines(.phone(.osmand))
        #expect(reader.finish(Array("lat=48.5&lon=2.2".utf8), at: now).isEmpty)
    }

    @Test("lines are cut at CR and LF, and too long ones are counted and left out")
    func splitting() {
        var splitter = LineSplitter(longestBytes: 5)
        #expect(splitter.add(Array("ab\r\n\ncd\ref".utf8)).map { String(decoding: $0, as: UTF8.self) } == ["ab", "cd"])
        #expect(splitter.add(Array("ghi\n123456\nx".utf8)).map { String(decoding: $0, as: UTF8.self) } == ["efghi"])
        #expect(splitter.overlongCount == 1 && splitter.overlongRun == 1)
        #expect(splitter.finish() == Array("x".utf8) && splitter.finish() == nil)
        #expect(splitter.add(Array("1234567\nab\n".utf8)).count == 1)
        #expect(splitter.overlongCount == 2 && splitter.overlongRun == 0)
    }

    private func fix(_ seconds: Double) -> LocationFix {
        LocationFix(coordinate: Coordinate(latitude: 1, longitude: 2), time: now.addingTimeInterval(seconds))
    }

    @Test("a receiver whose date is one or two GPS week rollovers behind is live from its second fix on, whatever its dates")
    func weekRollover() {
        for rounds in [1.0, 2] {
            var timing = StreamTiming()
            let behind = -rounds * 1_024 * 7 * 86_400
            var entries: [StreamTiming.Entry] = []
            for second in [0.0, 1, 2, 30, 31] {
                entries += timing.add(fix(behind + second), at: now.addingTimeInterval(second)).entries
            }
            #expect(entries.map(\.fix.time) == [0.0, 1, 2, 30, 31].map { now.addingTimeInterval(1 + $0) })
        }
    }

    @Test("live fixes keep their times; recorded ones begin now and keep their pace; a live one ends a recording")
    func timing() {
        var timing = StreamTiming()
        #expect(timing.add(fix(-60), at: now).entries == [.init(fix: fix(-60), due: nil)])
        let yesterday = -86_000.0
        #expect(timing.add(fix(yesterday), at: now).entries.isEmpty)
        let two = timing.add(fix(yesterday + 5), at: now).entries
        #expect(two.map(\.due) == [now, now.addingTimeInterval(5)])
        #expect(two.map(\.fix.time) == [now, now.addingTimeInterval(5)])
        #expect(timing.add(fix(yesterday + 4), at: now).entries.isEmpty)
        let live = timing.add(fix(0), at: now)
        #expect(live.endsRecording && live.entries.map(\.due) == [nil])
        #expect(timing.add(fix(yesterday), at: now).entries.isEmpty)
        #expect(timing.finish(at: now).map(\.due) == [now])
    }
}

@Suite("Sources that are read during a drive", .timeLimit(.minutes(1)))
struct LiveSourceTests {
    /// Returns a source that reads from a pipe, and the write end of the pipe.
    private func source(_ format: StreamFormat, _ time: any TimeSource = SystemTimeSource()) throws -> (LiveSource, FileHandle) {
        let pipe = Pipe()
        let descriptor = dup(pipe.fileHandleForReading.fileDescriptor)
        return (LiveSource.lines(of: format, from: descriptor, name: "standard input", time: time), pipe.fileHandleForWriting)
    }

    private func line(_ latitude: Double) -> Data {
        Data(#"{"_type":"location","lat":\#(latitude),"lon":2,"tst":\#(Int(Date().timeIntervalSince1970))}"#.utf8) + Data("\n".utf8)
    }

    @Test("fixes come in their order, then the end, and half a line is left out")
    func order() async throws {
        let (source, writer) = try source(.phone(.owntracks))
        for latitude in 1...3 { try writer.write(contentsOf: line(Double(latitude))) }
        try writer.write(contentsOf: Data(#"{"_type":"loca"#.utf8))
        try writer.close()
        for latitude in 1...3 { #expect(try await source.nextFix(until: .distantFuture)?.coordinate.latitude == Double(latitude)) }
        await #expect(throws: LocationSourceError.ended) { try await source.nextFix(until: .distantFuture) }
        await #expect(throws: LocationSourceError.ended) { try await source.nextFix(until: .distantPast) }
    }

    @Test("if nothing arrives in time, the result is nil; a source does not delay the end of its driver")
    func silent() async throws {
        let (source, writer) = try source(.nmea)
        #expect(try await source.nextFix(until: .distantPast) == nil)
        #expect(try await source.nextFix(until: Date() + 0.01) == nil)
        let waiting = Task { try await source.nextFix(until: .distantFuture) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try writer.close()
    }

    @Test("a stream with other content, or without a position before its end, is broken")
    func broken() async throws {
        let (other, writer) = try source(.phone(.osmand))
        try writer.write(contentsOf: Data(String(repeating: "hello\n", count: 200).utf8))
        await #expect(throws: LocationSourceError.broken("standard input is not a stream of osmand positions")) {
            try await other.nextFix(until: .distantFuture)
        }
        try writer.close()
        let (empty, closed) = try source(.nmea)
        try closed.close()
        await #expect(throws: LocationSourceError.broken("standard input has ended without any nmea position")) {
            try await empty.nextFix(until: .distantFuture)
        }
    }

    @Test("a recorded track begins now and keeps its pace on the driver's clock; then the source ends")
    func recorded() async throws {
        let time = ManualTimeSource()
        let start = time.now()
        let track = try nmea(
            sentence("GPRMC,100000.00,A,4516.0,N,01342.0,E,9,7.0,290224,,,A")
                + sentence("GPRMC,100010.00,A,4517.0,N,01342.0,E,9,7.0,290224,,,A"))
        let source = RecordedSource(track, name: "NMEA file", time: time)
        #expect(try await source.nextFix(until: .distantPast)?.time == start)
        #expect(try await source.nextFix(until: .distantPast) == nil)
        time.advance(by: 25)
        #expect(try await source.nextFix(until: .distantPast)?.time == start + 10)
        await #expect(throws: LocationSourceError.ended) { try await source.nextFix(until: .distantFuture) }
    }
}
