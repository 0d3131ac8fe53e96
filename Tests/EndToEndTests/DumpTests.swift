import Foundation
import Testing
import VectorTiles

@testable import ProgramHarness
@testable import TileFuzz

@Suite("One frame instead of the screen", .timeLimit(.minutes(5)))
struct DumpTests {
    @Test("a dumped map is text in a pipe, has colours on request, and is a picture as svg")
    func map() throws {
        let text = try Program().run(["map", "--dump", "--size", "60x8"])
        #expect(text.lines.count == 8 && !text.lines.joined().contains("\u{1b}"))
        #expect(try Program().run(["map", "--dump", "--size", "60x8", "--format", "text", "--colors", "256"]).lines == text.lines)
        #expect(try Program().run(["map", "--dump", "--size", "60x8", "--format", "ansi"]).lines.joined().contains("\u{1b}[38;5;"))
        #expect(try Program().run(["map", "--dump", "--size", "60x8", "--format", "ansi", "--colors", "16"]).lines != text.lines)
        let picture = try Program().run(["map", "--dump", "--size", "60x8", "--format", "svg"])
        #expect(picture.status == 0 && picture.lines.first?.contains("viewBox=\"0 0 480 128\"") == true)
        #expect(picture.lines.last == "</svg></svg>" && picture.lines.contains { $0.contains("invented town") })
    }

    @Test("a dumped trip is the screen after the first answer, or its map as a picture; the exit code is that of the trip")
    func trip() throws {
        let server = try LocalServer(speed: 20)
        defer { server.stop() }
        let trip = try #require(try server.book(from: "-36,-20", to: "-36.02,-20.01"))
        let frame = ["--dump", "--size", "80x24"] + server.connection
        let new = try Program().run(["follow", trip] + frame)
        #expect(new.status == 0 && new.lines.count == 24 && new.lines.contains { $0.contains("Looking for a car") })
        let driving = try server.drive("--create", "--route", "-36,-20.01;-36,-20")
        defer { driving.stop() }
        let lines = LineWatch(driving.output)
        #expect(lines.line(with: "ENROUTE_TO_PICKUP") != nil)
        let picture = try Program().run(["follow", trip, "--format", "svg", "--theme", "harbour-light"] + frame)
        #expect(picture.lines.first?.contains("viewBox=\"0 0 640 384\"") == true && picture.lines.last == "</svg></svg>")
        #expect(try server.program.run(["cancel", trip, "--provider-url", server.desk] + server.connection).status == 0)
        #expect(try Program().run(["follow", trip] + frame).status == 2)
        #expect(try Program().run(["follow", "nosuch"] + frame).status == 3)
        #expect(try Program().run(["follow", trip, "other"] + frame).status == 64)
    }

    @Test("a picture opens in a real browser, as a document and in a page, with everything that it needs", .enabled(if: hasBrowser))
    func browser() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-picture-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let overlay = folder.appending(path: "zone.geojson")
        let zone = ##"""
            {"type":"Feature","properties":{"name":"<Zone> & \"Co\"","fill":"#aa3377"},
            "geometry":{"type":"Point","coordinates":[-20,-36]}}
            """##
        try Data(zone.utf8).write(to: overlay)
        for theme in ["harbour-dark", "harbour-light"] {
            let picture = try Program().run(
                ["map", "-36,-20,13", "--dump", "--format", "svg", "--size", "80x24", "--overlay", overlay.path, "--theme", theme])
            #expect(picture.status == 0)
            let file = folder.appending(path: theme + ".svg")
            try Data((picture.lines.joined(separator: "\n") + "\n").utf8).write(to: file)
            let check = Program.package.appending(path: "Tests/EndToEndTests/Interop/picture_check.py").path
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["python3", "-B", check, file.path]
            process.standardOutput = output
            try process.run()
            defer { process.terminate() }
            let steps = LineWatch(output)
            let line = try #require(steps.line(with: "\"root\""), "\(steps.all)")
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(line)")
            let seen = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(seen["size"] as? [Int] == [640, 384], "\(line)")
            #expect(seen["shapes"] as? Int ?? 0 > 10 && seen["colours"] as? Int ?? 0 > 8, "\(line)")
            let words = seen["words"] as? [String] ?? []
            #expect(words.contains("<Zone> & \"Co\"") && words.contains { $0.contains("invented town") }, "\(words)")
        }
    }

    @Test("options that apply only to a frame are refused without one", arguments: [["--format", "svg"], ["--size", "60x8"]])
    func usage(options: [String]) throws {
        for command in [["map"], ["follow", "providers/p/trips/t"]] {
            let outcome = try Program().run(command + options)
            #expect(outcome.status == 64 && outcome.errors.contains("needs --dump"))
        }
        #expect(try Program().run(["map", "--dump", "--format", "png"]).status == 64)
        let odd = try Program().run(["map", "--dump", "--basemap", "ftp://tiles.example/{z}/{x}/{y}?key=SECRET"])
        #expect(odd.status == 1 && odd.errors.contains("not an http or https address") && !odd.errors.contains("SECRET"))
    }

    @Test("files are laid over the map: fitted to the view, invalid parts reported, invalid files refused")
    func overlay() throws {
        let program = Program()
        defer { withExtendedLifetime(program) {} }
        let folder = NSTemporaryDirectory() + "overlay-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
            return folder + "/" + name
        }
        let zone = #"{"type":"Polygon","coordinates":[[[5,5],[5.1,5],[5.1,5.1],[5,5.1]]]}"#
        let place = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[5.05,5.05]},"properties":{"name":"Made Up Well"}}"#
        let good = try write("good.json", #"{"type":"FeatureCollection","features":[\#(place),null]}"#)
        let more = try write("more.json", zone)
        let map = ["map", "--dump", "--size", "60x16", "--basemap", "none"]
        let both = try program.run(map + ["--overlay", more, "--overlay", good])
        #expect(both.status == 0 && both.lines.contains { $0.contains("• Made Up Well") })
        #expect(both.errors.contains("1 geometry of") && both.errors.contains("good.json is invalid and not shown"))
        let picture = try program.run(map + ["--overlay", more, "--format", "svg"])
        #expect(picture.lines.contains { $0.contains("fill-opacity=\"0.1\"") })
        for (name, text, words) in [
            ("a", "", "is empty"), ("b", "no", "is neither GeoJSON nor GPX"), ("d", "<kml></kml>", "it is not a GPX file"),
            ("c", "{}", "it has no type"),
        ] {
            let refused = try program.run(map + ["--overlay", try write(name, text)])
            #expect(refused.status == 1 && refused.errors.contains(words) && refused.errors.split(separator: "\n").count == 1)
        }
        let missing = try program.run(map + ["--overlay", folder + "/nothing"])
        #expect(missing.status == 1 && missing.errors.contains("it cannot be read: no such file"))
        let gpx = try write("w.gpx", "<gpx><wpt lat='5' lon='5'><name>Made Up Tree</name></wpt><wpt lat='x' lon='5'/></gpx>")
        let tree = try program.run(map + ["--overlay", gpx])
        #expect(tree.lines.contains { $0.contains("• Made Up Tree") } && tree.errors.contains("1 point of"))
        let cafe = try write("cafe.gpx", "<gpx><wpt lat='5' lon='5'><name>Caf&#233; &#xC9;lan &amp; Co</name></wpt></gpx>")
        #expect(try program.run(map + ["--overlay", cafe]).lines.contains { $0.contains("• Café Élan & Co") })
    }

    @Test("at a high zoom a map shows what a rider looks for, and at a low one it is an atlas")
    func details() throws {
        var tile = MadeUpTile()
        tile.add("transportation", .line, [("class", "minor"), ("oneway", "1")], [(1900, 2080), (2200, 2080)])
        tile.add("building", .polygon, [], [(2030, 2090), (2060, 2090), (2060, 2110), (2030, 2110)])
        tile.add("housenumber", .point, [("housenumber", "221b")], [(2045, 2096)])
        tile.add("housenumber", .point, [("housenumber", "999")], [(2180, 2096)])
        tile.add("poi", .point, [("class", "railway"), ("subclass", "subway"), ("name", "Made Up Circus")], [(2010, 2040)])
        tile.add("poi", .point, [("class", "entrance"), ("subclass", "subway_entrance")], [(2090, 2050)])
        var world = MadeUpTile()
        world.add("place", .point, [("class", "country"), ("name", "Madeupia"), ("rank", "1")], [(2048, 2000)])
        world.add("place", .point, [("class", "city"), ("capital", "2"), ("name", "Madeup City"), ("rank", "1")], [(2048, 2060)])
        let program = Program()
        defer { withExtendedLifetime(program) {} }
        let folder = NSTemporaryDirectory() + "details-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (file, worldFile) = (folder + "/14-8192-8192.mvt", folder + "/0-0-0.mvt")
        try Data(tile.bytes).write(to: URL(filePath: file))
        try Data(world.bytes).write(to: URL(filePath: worldFile))
        // The centre of the map is the middle of the tile, in front of house 221b. House 999 is farther along the street.
        let map = ["map", "-0.01098,0.01098,17", "--dump", "--size", "100x30", "--basemap", file]
        let here = try program.run(map + ["--here=-0.01098,0.01098"])
        let text = here.lines.joined(separator: "\n")
        #expect(here.status == 0 && here.errors.isEmpty, "\(here.errors)")
        for shown in ["221b", "Made Up Circus", "⋂", "⇢", "me"] { #expect(text.contains(shown), "\(shown) in\n\(text)") }
        #expect(!text.contains("999"), "that house is too far away")
        let elsewhere = try program.run(map).lines.joined()
        #expect(!elsewhere.contains("221b") && elsewhere.contains("Made Up Circus"))
        let picture = try program.run(map + ["--here=-0.01098,0.01098", "--format", "svg"]).lines.joined()
        #expect(picture.contains(">221b<") && picture.contains(">⇢<"))
        let atlas = try program.run(["map", "0,0,3", "--dump", "--size", "80x20", "--basemap", worldFile]).lines.joined()
        #expect(atlas.contains("MADEUPIA") && atlas.contains("✪ Madeup City"))
    }

    @Test("a map opens at the place of a name, and the screen can search for names")
    func names() throws {
        let dump = ["map", "--dump", "--size", "60x16"]
        let town = try Program().run(dump)
        let unknown = try Program().run(dump + ["Nowhere At All"])
        #expect(unknown.status == 1 && unknown.errors.contains("no place near -36,-20 on this map is called 'Nowhere At All'"))
        for name in ["Theatre", "Town Hall"] {
            let shown = try Program().run(dump + [name.lowercased()])
            #expect(shown.lines.joined().contains(name), "\(shown)")
        }
        #expect(try Program().run(dump + ["10,20,30,40"]).status == 64)
        #expect(try Program().run(dump + ["Anything", "--basemap", "none"]).status == 1)
        #expect(try Program().run(dump + ["geo:10,20;u=5?z=9"]).lines != town.lines)
        let screen = try ProgramOnTerminal(["map"])
        try screen.wait(for: "invented town")
        screen.press("/")
        try screen.wait(for: "Type the name of a place, a street or a stop.")
        screen.press("street")
        try screen.wait(for: "a street in the list") { $0.contains("street ∙ ") }
        screen.press("\r")
        try screen.wait(for: "the street") { !$0.contains("LOOK FOR") && $0.contains("∙ street") }
        screen.press("q")
        #expect(try screen.end() == 0)
    }
}
