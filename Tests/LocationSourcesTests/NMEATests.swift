import FoundationEssentials
import Geo
import Navigation
import Testing

@testable import LocationSources

@Suite("NMEA 0183")
struct NMEATests {
    private static func rmc(_ time: String, _ date: String = "290224", status: String = "A", minutes: String = "16.404799") -> String {
        sentence("GNRMC,\(time),\(status),45\(minutes),N,01342.851310,W,10.00,188.14,\(date),,,A")
    }

    private static func gga(_ time: String, quality: Int = 1) -> String {
        sentence("GPGGA,\(time),4516.404799,N,01342.851310,W,\(quality),08,1.5,211.6,M,42.4,M,,")
    }

    @Test("the sentences of one moment are one fix; knots, degrees and minutes, dilution and height are converted")
    func merged() throws {
        let text = Self.gga("061600.00") + Self.rmc("061600.00") + Self.gga("061601.50") + Self.rmc("061601.50")
        let track = try nmea("noise\r\n" + text + "$PUBX,00*33\r\n!AIVDM,1\r\n")
        #expect(track.seconds == [0, 1.5])
        let fix = try #require(track.point(0)).point.fix(at: Date(timeIntervalSince1970: 0))
        #expect(abs(fix.coordinate.latitude - (45 + 16.404799 / 60)) < 1e-9)
        #expect(abs(fix.coordinate.longitude + (13 + 42.851310 / 60)) < 1e-9)
        #expect(abs(try #require(fix.speedMetersPerSecond) - 5.1444) < 0.0001)
        #expect(abs(try #require(fix.courseDegrees) - 188.14) < 0.001)
        #expect(fix.accuracyMeters == 7.5)
        #expect(abs(try #require(fix.altitudeMeters) - 254) < 0.001)
    }

    @Test("GST, VTG, GNS, GLL and ZDA are understood")
    func others() throws {
        let text =
            sentence("GPZDA,100000.00,29,02,2024,00,00") + sentence("GNGNS,100000.00,4516.0,S,01342.0,E,AN,08,2.0,10.0,5.0,,")
            + sentence("GNVTG,90.0,T,,M,20.0,N,37.0,K") + sentence("GNGST,100000.00,9,9,9,9,3.0,4.0,9")
            + sentence("GNGLL,4516.1,S,01342.0,E,100001.00,A,A")
        let track = try nmea(text)
        #expect(track.seconds == [0, 1])
        let fix = try #require(track.point(0)).point.fix(at: Date(timeIntervalSince1970: 0))
        #expect(fix.accuracyMeters == 5 && fix.courseDegrees == 90)
        #expect(fix.coordinate.latitude < -45.26 && fix.altitudeMeters == 15)
        let last = try #require(track.point(1)).point.fix(at: Date(timeIntervalSince1970: 0))
        #expect(last.accuracyMeters == nil && last.speedMetersPerSecond == nil && last.courseDegrees == nil)
    }

    @Test("at midnight the next day begins, whether the date is in the same sentence, a later one or none")
    func rollOver() throws {
        #expect(
            try nmea(Self.gga("235959.00") + Self.rmc("235959.00") + Self.gga("000001.00") + Self.rmc("000001.00", "010324")).seconds == [
                0, 2,
            ])
        #expect(try nmea(Self.gga("235959.00") + Self.gga("000001.00") + Self.gga("000003.00")).seconds == [0, 2, 4])
    }

    @Test("once the receiver's order is known, a fix is delivered with its last sentence")
    func atOnce() {
        var reader = NMEAReader()
        func add(_ text: String) -> Int { reader.add(Array(text.utf8).dropLast(2)).count }
        #expect([Self.rmc("100000.00"), Self.gga("100000.00")].map(add) == [0, 0])
        #expect([Self.rmc("100001.00"), Self.gga("100001.00")].map(add) == [1, 1])
        #expect([Self.rmc("100002.00"), Self.gga("100002.00"), Self.gga("100002.00")].map(add) == [0, 1, 0])
        #expect(reader.finish().isEmpty)
    }

    @Test("if one sentence of a moment says that there is no fix, that moment has none; a late sentence is left out")
    func noFix() throws {
        let track = try nmea(
            Self.rmc("100000.00") + Self.rmc("100001.00", status: "V") + Self.gga("100002.00", quality: 0) + Self.rmc("100002.00")
                + Self.rmc("100004.00") + Self.rmc("100003.00") + Self.rmc("100006.00"))
        #expect(track.seconds == [0, 4, 6])
        #expect(track.omittedCount == 1)
        #expect(throws: LocationFileError.noPlaces("fix")) { try nmea(Self.rmc("100001.00", status: "V")) }
    }

    @Test("a fix at exactly 0,0 is left out and counted, in a stream too; a valid sentence of the same moment is used")
    func zeroPlace() throws {
        let zero = sentence("GNRMC,100001.00,A,0000.0000,N,00000.0000,E,0.0,0.0,290224,,,A")
        let track = try nmea(Self.rmc("100000.00") + zero + Self.rmc("100002.00"))
        #expect(track.seconds == [0, 2] && track.omittedCount == 1)
        let both = try nmea(Self.gga("100001.00") + zero)
        #expect(both.count == 1 && both.omittedCount == 0 && both.coordinates.allSatisfy { $0.latitude > 45 })
        let south = sentence("GNGGA,100001.00,0000.000,S,00000.000,W,1,08,1.5,0,M,0,M,,")
        #expect(throws: LocationFileError.noPlaces("fix")) { try nmea(south) }
        var lines = PositionLines(.nmea)
        let texts = [zero, south, Self.rmc("100002.00"), Self.rmc("100003.00")]
        let fixes = texts.flatMap { lines.add(Array($0.utf8.dropLast(2)), at: Date(timeIntervalSince1970: 0)) }
        #expect(fixes.count == 2 && fixes.allSatisfy { $0.coordinate.latitude > 45 })
    }

    @Test("a sentence that is cut off, or whose checksum is wrong, is ignored")
    func checksums() throws {
        let whole = Array(Self.rmc("100000.00").utf8).dropLast(2)
        for count in 0..<whole.count where NMEASentence.hasChecksum(whole.prefix(count)) {
            #expect(NMEASentence(whole.prefix(count)) == nil)
        }
        for count in 0..<whole.count {
            var reader = NMEAReader()
            #expect(reader.addLast(whole.prefix(count)).isEmpty && reader.sentenceCount == 0)
        }
        #expect(NMEASentence(whole) != nil)
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 1
            if let sentence = NMEASentence(bytes) { #expect(sentence.type != "RMC" || !sentence.isChecked) }
        }
        #expect(NMEASentence(Array("\\s:a*00\\12:00:01 $GP".utf8) + whole)?.type == "RMC")
        for text in ["", "hello", "<gpx/>", "{}", "$GPRMC,1,2\r\n"] {
            #expect(throws: LocationFileError.isNot("file of NMEA sentences")) { try nmea(text) }
        }
    }

    @Test("sentences without checksums are accepted if the receiver writes none and they have all their fields")
    func unchecked() throws {
        let bare = ["100000", "100001", "100002"].map { "$GPRMC,\($0).00,A,4516.4,N,01342.8,W,10.00,188.14,290224,,,A\r\n" }
        let track = try nmea(bare.joined())
        #expect(track.seconds == [0, 1, 2] && track.coordinates.allSatisfy { $0.latitude > 45 && $0.longitude < -13 })
        let heights = "$GNGGA,100000,4516.4,N,01342.8,W,1,08,1.5,211.6,M,42.4,M\n$GNGGA,100001,4516.4,N,01342.8,W,1,08,1.5,211.6,M,42.4,M\n"
        #expect(try nmea(heights).seconds == [0, 1])
        // An incomplete sentence among complete ones is ignored.
        let noise = try nmea(
            Self.rmc("100000.00") + "$GPRMC,100001.00,A,0016.4,N,01342.8,W,10.00,188.14,290224,,,A\r\n" + Self.rmc("100002.00"))
        #expect(noise.seconds == [0, 2])
        for cut in ["$GPRMC,100000.00,A,4516.4,N,01342.8,W,10.00\n", "$GPGGA,100000,4516.4,N,01342.8,W\n", "$GPGSV,1,1,00\n"] {
            #expect(throws: LocationFileError.isNot("file of NMEA sentences")) { try nmea(cut) }
        }
        if let bytes = sharedFile("../field/sources/b20-no-checksum.nmea") {
            let track = try NMEAReader.track(pieces(bytes))
            #expect(track.count == 7 && track.durationSeconds == 60)
        }
    }

    @Test("a checksum may lack its leading zero")
    func shortChecksum() {
        let body = "GPRMC,100000,A,4516.4,N,01342.8,W,9,1,290224,,"
        #expect(NMEASentence(Array("$\(body)*7".utf8))?.isChecked == true)
        #expect(NMEASentence(Array("$\(body)*70".utf8)) == nil && NMEASentence(Array("$\(body)*".utf8)) == nil)
    }

    @Test("absurd figures are dropped")
    func absurd() throws {
        for minutes in ["60.0", "-1.0", "nan", "1e9"] {
            #expect(throws: LocationFileError.noPlaces("fix")) { try nmea(Self.rmc("100000.00", minutes: minutes)) }
        }
        for time in ["250000.00", "106000.00", "inf", "", "-1"] {
            #expect(throws: LocationFileError.noPlaces("fix")) { try nmea(Self.rmc(time)) }
        }
        let fast = sentence("GPRMC,100000.00,A,4516.0,N,01342.0,E,99999,720.0,999999,,,A")
        let fix = try #require(try nmea(fast).point(0)).point.fix(at: Date(timeIntervalSince1970: 0))
        #expect(fix.speedMetersPerSecond == nil && fix.courseDegrees == nil)
    }

    @Test("receivers' logs give the right number of fixes, and none if the receiver had none")
    func logs() throws {
        guard let car = sharedFile("nmea/around-visnjan-with-car.nmea") else { return }
        let track = try NMEAReader.track(pieces(car, of: 1_000))
        #expect(track.count == 103 && track.omittedCount == 0)
        for name in ["bt451", "bu353s4", "ublox-8", "udp-test", "garmin-10x", "nl2008u", "tcp-torture", "nmea-fuzzy-cases", "april6_2019"] {
            guard let bytes = sharedFile("nmea/\(name).log") else { continue }
            if let track = try? NMEAReader.track(pieces(bytes, of: 1_000)) {
                #expect(track.coordinates.allSatisfy { $0.isValid }, "\(name)")
                #expect(zip(track.seconds, track.seconds.dropFirst()).allSatisfy { $0 < $1 }, "\(name)")
            }
        }
        if let bytes = sharedFile("nmea/bu303b-nofix.log") {
            #expect(throws: LocationFileError.self) { try NMEAReader.track(pieces(bytes)) }
        }
    }
}
