import FoundationEssentials
import Geo
import LocationSources
import PhoneIntake

extension FuzzTarget {
    /// The readers of positions from files, receivers and phones.
    static let positions = [gpx, nmea, gpsd, drive] + PhoneFormat.allCases.map(phone) + StreamFormat.allCases.map(stream)

    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    /// Returns a function that returns the input in pieces, as when a file is read.
    private static func pieces(_ input: [UInt8]) -> () throws(LocationFileError) -> [UInt8]? {
        var rest = input[...]
        return { () throws(LocationFileError) in
            let piece = Array(rest.prefix(777))
            rest = rest.dropFirst(piece.count)
            return piece.isEmpty ? nil : piece
        }
    }

    private static let gpx = FuzzTarget(
        "gpx",
        seeds: [
            """
            <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE gpx><gpx version="1.1" xmlns:x="y"><wpt lat="1" lon="2"><name>A &amp; B</name>
            <time>2023-11-14T22:13:10Z</time></wpt><rte><name>R</name><rtept lat="1" lon='2'/><rtept lat="1.1" lon="2"/></rte><trk><trkseg>
            <trkpt lat="48.5" lon="9.1"><ele>400.5</ele><time>2023-11-14T22:13:10.5+01:00</time><hdop>1.2</hdop><x:speed>12</x:speed></trkpt>
            <!-- a comment --><trkpt lat="48.51" lon="9.1"><time>2023-11-14T22:14:10Z</time><geoidheight>47</geoidheight></trkpt>
            <trkpt lat="48.52" lon="9.2"><time><![CDATA[2023-11-14T22:15:10Z]]></time><course>90</course></trkpt></trkseg></trk></gpx>
            """
        ], endings: [".gpx"],
        words: [
            "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE a [<!ENTITY b \"c\">]>", "&b;", "&#0;", "&#x10ffff;",
            "<trk>", "<trkseg>", "<trkpt lat=\"1\" lon=\"1\">", "</trkpt>", "<time>", "\u{feff}", "<?", "?>",
            String(repeating: "<a>", count: 10_000),
        ]
    ) { input, _ in
        let outline = try? GPXOutline(pieces(input))
        _ = outline?.lines.count
        let track = try GPXReader.track(pieces(input))
        guard track.line.coordinates.allSatisfy(\.isValid) else { throw FuzzFault(rule: "a place of a track is not on earth") }
    }

    private static let sentences = [
        "$GPRMC,221310.00,A,4851.50,N,00217.71,E,33.0,271.0,141123,,,A*6C\r\n$GPGGA,221310.00,4851.50,N,00217.71,E,1,08,0.9,167.0,M,47.0,M,,\r\n",
        "$GNGNS,221311.00,4851.50,N,00217.71,E,AN,08,0.9,167.0,47.0,,\n$GPGLL,4851.50,S,00217.71,W,221311.00,A\n$GPVTG,271,T,,M,33,N,61,K\n",
        "$GPGST,221312,1,1,1,1,2.5,3.5,4\n$GPZDA,221312.5,14,11,2023,00,00\n$GPRMC,235959,A,0,N,0,E,,,311299\n",
    ]
    private static let fields = [
        "$", ",", "*", "*00", "\r\n", "$GPRMC", "$GPGGA", "$GPZDA", ",A,", ",V,", "9999.99", "240000", "320099", "!AIVDM",
    ]

    private static let nmea = FuzzTarget("nmea", seeds: sentences, endings: [".nmea", ".log"], words: fields) { input, _ in
        let track = try NMEAReader.track(pieces(input))
        guard track.line.coordinates.allSatisfy(\.isValid), track.durationSeconds >= 0 else {
            throw FuzzFault(rule: "a place of a track is not on earth")
        }
    }

    private static let gpsd = FuzzTarget(
        "gpsd",
        seeds: [
            #"{"class":"VERSION","release":"3.25","proto_major":3,"proto_minor":15}"# + "\n"
                + #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyS0","activated":"2023-11-14T22:13:09.000Z"}]}"# + "\n"
                + #"{"class":"TPV","device":"/dev/ttyS0","mode":3,"time":"2023-11-14T22:13:10.000Z","lat":48.85,"lon":2.29,"altHAE":214,"#
                + #""track":271,"speed":17,"epx":5,"epy":6,"eph":8}"# + "\n" + #"{"class":"DEVICE","path":"/dev/ttyS0","activated":0}"#
                + "\n"
        ], words: json + ["\"class\"", "\"TPV\"", "\"mode\"", "\"time\"", "\n"]
    ) { input, _ in
        var lines = LineSplitter(longestBytes: 4_096)
        var reader = GPSDReader()
        for line in lines.add(input) { _ = reader.read(line, at: now) }
    }

    private static let drive = FuzzTarget(
        "drive", endings: ["track.drive.jsonl", "simulated.drive.jsonl"], words: json + ["\"t\"", "\"fix\"", "\"change\"", "\n"]
    ) { input, _ in
        _ = try DriveRecording(pieces(input)).events
    }

    private static let phoneSeeds = [
        #"{"_type":"location","lat":48.85833,"lon":2.29513,"tst":1699999990,"acc":5,"alt":167,"cog":271,"vel":61,"topic":"owntracks/j/p"}"#,
        #"{"device_id":"4","location":{"timestamp":"2023-11-14T22:13:10.000Z","coords":{"latitude":48.85833,"longitude":2.29513,"#
            + #""accuracy":5,"speed":17,"heading":271,"altitude":167},"is_moving":false,"event":"motionchange"}}"#,
        #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[2.29513,48.85833]},"properties":{"timestamp":"#
            + #""2023-11-14T14:13:10-0800","altitude":167,"speed":17,"course":271,"horizontal_accuracy":5,"motion":["driving"]}}]}"#,
        #"{"position":{"id":7,"fixTime":"2023-11-14T22:13:10.000+00:00","valid":true,"latitude":48.85833,"longitude":2.29513,"#
            + #""altitude":167,"speed":33,"course":271,"accuracy":5,"attributes":{}},"device":{"uniqueId":"car-7"}}"#,
        "lat=48.85833&lon=2.29513&altitude=167&bearing=271&accuracy=5&timestamp=1699999990&speed=17&eta=1&left_m=2",
        "location=48.85833,2.29513&time=2023-11-14T22%3A13%3A10.000Z",
        #"{"topic":"a","payload":"{\"_type\":\"location\",\"lat\":1,\"lon\":2}"}"#,
    ]
    private static let phoneWords = json + ["lat=", "lon=", "&", "=", "%", "%zz", "+", "\"lat\"", "\"lon\"", "\"tst\"", "NaN", "Infinity"]

    /// The reader of a request from a phone app. The input is used both as the query and as the body.
    private static func phone(_ format: PhoneFormat) -> FuzzTarget {
        FuzzTarget("phone-\(format.rawValue)", seeds: phoneSeeds, words: phoneWords) { input, _ in
            var car = PhoneCar()
            var way = DrivenWay()
            for (query, body) in [("", input), (String(decoding: input, as: UTF8.self), [])] {
                guard let post = try? format.read(query: query, body: body, now: now) else { continue }
                guard post.fixes.allSatisfy(\.coordinate.isValid) else { throw FuzzFault(rule: "a fix is not on earth") }
                for fix in post.fixes {
                    car.add(fix)
                    way.add(fix)
                }
            }
            _ = car.navigation(now: now)
            _ = way.parts
        }
    }

    /// The reader of lines from a pipe.
    private static func stream(_ format: StreamFormat) -> FuzzTarget {
        let isNMEA = format == .nmea
        let seeds = isNMEA ? sentences : phoneSeeds.map { "GET /?" + $0 + " HTTP/1.1\n" + $0 + "\n" }
        return FuzzTarget("stream-\(format.name)", seeds: seeds, words: (isNMEA ? fields : phoneWords) + ["\n", "?", "\"payload\":"]) {
            input, _ in
            var splitter = LineSplitter(longestBytes: 1 << 20)
            var lines = PositionLines(format)
            for line in splitter.add(input) { _ = lines.add(line, at: now) }
            _ = lines.finish(splitter.finish(), at: now)
        }
    }
}
