import FoundationEssentials
import Geo
import Navigation
import Testing

@testable import LocationSources

@Suite("gpsd's protocol")
struct GPSDReaderTests {
    private let now = Date(timeIntervalSince1970: 1_608_272_160)

    private func fix(_ reader: inout GPSDReader, _ text: String, after seconds: Double = 0) -> GPSDReader.Message? {
        reader.read(Array(text.utf8), at: now.addingTimeInterval(seconds))
    }

    private func tpv(_ more: String, device: String = "/dev/a") -> String {
        #"{"class":"TPV","device":"\#(device)","mode":3,"lat":45.5,"lon":-13.25\#(more)}"#
    }

    @Test("figures are converted to our units, and unknown ones stay unknown")
    func figures() throws {
        var reader = GPSDReader()
        let text = tpv(#","time":"2020-12-18T06:16:01.250Z","altHAE":211.6,"track":188.14,"speed":1.183,"eph":19.0"#)
        guard case .fix(let full) = fix(&reader, text) else { return #expect(Bool(false)) }
        #expect(full.coordinate == Coordinate(latitude: 45.5, longitude: -13.25))
        #expect(full.time.timeIntervalSince1970 == 1_608_272_161.25)
        #expect(full.accuracyMeters == 9.5)
        #expect(abs(try #require(full.speedMetersPerSecond) - 1.183) < 1e-6)
        guard case .fix(let bare) = fix(&reader, tpv(""), after: 5) else { return #expect(Bool(false)) }
        #expect(bare.time == now.addingTimeInterval(5))
        #expect(bare.accuracyMeters == nil && bare.speedMetersPerSecond == nil && bare.courseDegrees == nil && bare.altitudeMeters == nil)
        guard case .fix(let sides) = fix(&reader, tpv(#","epx":6,"epy":8"#), after: 6) else { return #expect(Bool(false)) }
        #expect(sides.accuracyMeters == 5)
    }

    @Test("a time more than an hour off is not used; a moment that arrives twice is one fix")
    func times() {
        var reader = GPSDReader()
        let old = tpv(#","time":"2040-12-18T06:16:00.000Z""#)
        guard case .fix(let first) = fix(&reader, old, after: 3) else { return #expect(Bool(false)) }
        #expect(first.time == now.addingTimeInterval(3))
        #expect(fix(&reader, old, after: 4) == .other)
    }

    @Test("only one of several receivers is used; another takes over when it is gone or silent")
    func devices() {
        var reader = GPSDReader()
        func isFix(_ text: String, _ seconds: Double) -> Bool { if case .fix = fix(&reader, text, after: seconds) { true } else { false } }
        #expect(isFix(tpv("", device: "/dev/a"), 0))
        #expect(!isFix(tpv("", device: "/dev/b"), 1))
        #expect(fix(&reader, #"{"class":"DEVICE","path":"/dev/a","activated":0}"#) == .other)
        #expect(isFix(tpv("", device: "/dev/b"), 2))
        #expect(!isFix(tpv("", device: "/dev/a"), 3))
        #expect(isFix(tpv("", device: "/dev/a"), 13))
    }

    @Test("lines that gpsd cannot have sent are counted until the next message, which may be a fix")
    func unreadable() {
        var reader = GPSDReader()
        for text in ["", "{", "hello"] { #expect(fix(&reader, text) == nil) }
        #expect(reader.unreadableCount == 3)
        #expect(fix(&reader, tpv("")) != nil)
        #expect(reader.unreadableCount == 0)
        #expect(fix(&reader, "{") == nil)
        #expect(fix(&reader, #"{"class":"DEVICES","devices":[]}"#) == .devices(0))
        #expect(reader.unreadableCount == 0)
    }

    @Test("a report without a fix or a position gives nothing; absurd figures and hostile texts give nothing, or no figure")
    func bad() {
        var reader = GPSDReader()
        for text in [
            #"{"class":"TPV","mode":1}"#, #"{"class":"TPV","mode":0,"lat":1,"lon":1}"#, #"{"class":"TPV","mode":2}"#,
            #"{"class":"TPV","mode":3,"lat":0,"lon":0}"#, #"{"class":"TPV","mode":2,"lat":-0.0,"lon":0.000000}"#,
            #"{"class":"TPV","mode":3,"lat":91,"lon":1}"#, #"{"class":"TPV","mode":3,"lat":"1","lon":1}"#, #"{"class":"SKY"}"#,
            #"{"class":"TPV","mode":[],"lat":{},"lon":null,"time":{},"device":7}"#, #"{"class":"DEVICE","path":7,"activated":"now"}"#,
        ] { #expect(fix(&reader, text) == .other, "\(text)") }
        for text in ["", "{", "[]", "7", "hello", #"{"class":7}"#, #"{"mode":3,"lat":1,"lon":1}"#] {
            #expect(fix(&reader, text) == nil, "\(text)")
        }
        guard case .fix(let odd) = fix(&reader, tpv(#","track":-5,"speed":1e300,"eph":-1,"altHAE":1e300,"time":"yesterday""#)) else {
            return #expect(Bool(false))
        }
        #expect(odd.courseDegrees == nil && odd.speedMetersPerSecond == nil && odd.accuracyMeters == nil && odd.altitudeMeters == nil)
        #expect(fix(&reader, #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#) == .version(major: 3))
        #expect(fix(&reader, #"{"class":"VERSION","proto_major":1e300}"#) == .version(major: 1_000))
        #expect(fix(&reader, #"{"class":"DEVICES","devices":[]}"#) == .devices(0))
    }

    @Test("whole transcripts are read, each moment once", arguments: [("gpsd322-visnjan", 103), ("gpsd322-bt451", 13)])
    func transcripts(name: String, count: Int) {
        guard let bytes = sharedFile("nmea/\(name).tpv.jsonl") else { return }
        var reader = GPSDReader()
        var fixes = 0
        for line in bytes.split(separator: 0x0A) {
            let message = reader.read(Array(line), at: now)
            #expect(message != nil)
            if case .fix = message { fixes += 1 }
        }
        #expect(fixes == count)
    }

    @Test("an address has a host and optionally a port")
    func addresses() {
        #expect(GPSDAddress("10.0.0.1")?.description == "10.0.0.1:2947")
        #expect(GPSDAddress("gps.example:99")?.port == 99)
        #expect(GPSDAddress("[::1]:5")?.description == "[::1]:5")
        #expect(GPSDAddress("::1")?.description == "[::1]:2947")
        for text in ["", ":", "a:", "a:0", "a:65536", "a:b", "[::1", "a b", "http://a"] { #expect(GPSDAddress(text) == nil, "\(text)") }
    }
}
