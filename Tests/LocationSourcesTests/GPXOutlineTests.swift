import Geo
import LocationSources
import Testing

@Suite("Lines and points of a GPX file")
struct GPXOutlineTests {
    private func read(_ text: String, size: Int = 4_096) throws -> GPXOutline {
        var rest = Array(text.utf8)[...]
        return try GPXOutline { () throws(LocationFileError) in
            defer { rest = rest.dropFirst(size) }
            return rest.isEmpty ? nil : Array(rest.prefix(size))
        }
    }

    private static let body = """
        <gpx version="1.1"><metadata><name>File</name></metadata><wpt lat="1" lon="2"><name>Well &amp; Tree</name></wpt><wpt lat="1" lon="3"/>
        <trk><name>Walk</name><trkseg><trkpt lat="1" lon="2"/><trkpt lat="1.1" lon="2"><name>no</name></trkpt></trkseg>
        <trkseg><trkpt lat="2" lon="2"/><trkpt lat="2.1" lon="2"/></trkseg></trk>
        <rte><name>Way</name><rtept lat="3" lon="3"/><rtept lat="3" lon="4"/><rtept lat="x" lon="4"/></rte></gpx>
        """

    @Test("Segments, routes and waypoints with their names, in pieces of any size", arguments: [1, 5, 4_096])
    func all(size: Int) throws {
        let outline = try read(Self.body, size: size)
        #expect(outline.lines.map(\.name) == ["Walk", "Walk", "Way"] && outline.lines.map(\.path.count) == [2, 2, 2])
        #expect(outline.waypoints.map(\.name) == ["Well & Tree", ""] && outline.omitted == 1)
        #expect(outline.lines[1].path.first == Coordinate(latitude: 2, longitude: 2))
    }

    @Test(
        "References to characters in a name are replaced once, and never in CDATA; any other text is kept",
        arguments: [
            ("&lt;a&gt; &quot;b&quot; &apos;c&apos;", "<a> \"b\" 'c'"), ("Caf&#233; &#xE9;&#x1F697;", "Café é🚗"),
            ("&amp;lt; &amp;#233;", "&lt; &#233;"), ("<![CDATA[A &amp; B &#233;]]>", "A &amp; B &#233;"),
            ("&am<![CDATA[p;]]> &<![CDATA[x]]>lt;", "&amp; &xlt;"),
            ("&nosuch; &; &#; &#x; &#-5; & ; a;", "&nosuch; &; &#; &#x; &#-5; & ; a;"),
            ("&#x110000; &#55296; &#99999999999;", "&#x110000; &#55296; &#99999999999;"),
        ])
    func references(text: String, name: String) throws {
        for size in [1, 4_096] {
            let outline = try read("<gpx><wpt lat=\"1\" lon=\"2\"><name>\(text)</name></wpt></gpx>", size: size)
            #expect(outline.waypoints.map(\.name) == [name])
        }
    }

    @Test("A point of a line at exactly 0,0 is left out and counted; a waypoint there stays, because a person set it")
    func zeroPlace() throws {
        let points = #"<trkpt lat="1" lon="2"/><trkpt lat="0.0" lon="0"/><trkpt lat="1.1" lon="2"/>"#
        let outline = try read(#"<gpx><wpt lat="0" lon="0"/><trk><trkseg>\#(points)</trkseg></trk></gpx>"#)
        #expect(outline.lines.map { $0.path.map(\.latitude) } == [[1, 1.1]] && outline.omitted == 1)
        #expect(outline.waypoints.map(\.coordinate) == [Coordinate(latitude: 0, longitude: 0)])
    }

    @Test("A truncated file is an error, or is read up to the break and says so; a file that is not GPX is reported as such")
    func broken() throws {
        for count in 0..<Self.body.utf8.count {
            guard let outline = try? read(String(Self.body.prefix(count))) else { continue }
            #expect(outline.breakOff != nil && (!outline.waypoints.isEmpty || !outline.lines.isEmpty))
        }
        #expect(throws: LocationFileError.truncated(line: 1)) { try read("<gpx><wpt lat='1'") }
        #expect(try read(Self.body).breakOff == nil)
        #expect(throws: LocationFileError.isNot("GPX file")) { try read("<kml></kml>") }
    }
}
