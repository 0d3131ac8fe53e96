import Foundation
import Testing

/// Folders of a module are read one after the other: of two folders only one may name types of the other.
@Suite("The folders of the house")
struct FolderTests {
    /// Two folders of one module, in the alphabet's order; `.` holds the files that stand in no folder.
    struct Pair: Hashable, Comparable, CustomStringConvertible, Sendable {
        let module: String
        let first: String
        let second: String

        var description: String { "\(module): \(first) and \(second)" }
        static func < (a: Pair, b: Pair) -> Bool { a.description < b.description }
    }

    /// The pairs that name each other's types, and why they still do.
    private static let exempt: [(module: String, first: String, second: String, reason: String)] = [
        ("JourneySharing", "Model", "Polling", "one sleep of PollRound serves all models of a service, which it wakes"),
        ("LocalFleetEngine", "Calls", "Engine", "a stored change names the call that made it"),
        ("LocalFleetEngine", "Calls", "REST", "an answered call names the refusal that JSON callers get"),
        ("LocalFleetEngine", "Calls", "Server", "a call names the address of its caller"),
        ("LocalFleetEngine", "Calls", "Services", "the actor and its calls are one type in two folders"),
        ("LocalFleetEngine", "Engine", "Phones", "the engine's records hold the keys of phones"),
        ("LocalFleetEngine", "Health", "Provider", "the provider's server answers for the engine's health"),
        ("LocalFleetEngine", "Health", "Services", "the actor counts what its metrics tell"),
        ("LocalFleetEngine", "Phones", "Provider", "the provider's desk answers phones at its own port"),
        ("LocalFleetEngine", "Provider", "Server", "the provider's connections are a part of the ports"),
        ("LocalFleetEngine", "Provider", "Services", "the actor asks the desk's dispatcher"),
        ("LocalFleetEngine", "Server", "Services", "the actor takes its limits from the ports"),
        ("LocalFleetEngine", "Services", "Snapshot", "the actor starts from a snapshot and makes one"),
        ("LocalFleetEngine", "Services", "TestHooks", "the actor holds the plan of faults"),
        ("OnlineTiles", ".", "Archives", "an archive's layout makes the source that reads it"),
        ("OnlineTiles", ".", "Fetching", "the fetcher takes the settings of its source"),
        ("TerminalMap", ".", "Ground", "the scene holds the ground that is drawn with its camera"),
        ("TileSources", "Files", "PMTiles", "one table names the details of both kinds of files"),
        ("TripWatchApp", "Configuration", "Output", "a hook of the configuration is a kind of output"),
        ("TripWatchApp", "Output", "Screen", "lines and screen share names, cards and times"),
        ("TripWatchApp", "Output", "Sharing", "a link's page shows what a line of output tells"),
        ("TripWatchApp", "Output", "Words", "one phrase belongs to a report"),
        ("TripWatchApp", "Screen", "Words", "one phrase belongs to a trip's history"),
        ("tripwatch", ".", "Commands", "the program lists its commands, and two commands print what it lists"),
        ("tripwatch", ".", "Options", "the program reads its options, and options name the program and its version"),
    ]
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    @Test("of two folders of a module only one names types of the other")
    func oneWay() throws {
        var found: Set<Pair> = []
        var count = 0
        for module in try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).filter({ !$0.contains(".") }) {
            let files = try Self.files(of: module)
            count += files.count
            found.formUnion(Self.pairs(in: module, files))
        }
        #expect(count > 500)
        let exempt = Set(Self.exempt.map { Pair(module: $0.module, first: $0.first, second: $0.second) })
        #expect(exempt.count == Self.exempt.count)
        #expect(found.subtracting(exempt).sorted() == [], "these folders name types of each other: move a file")
        #expect(exempt.subtracting(found).sorted() == [], "these folders no longer do: leave them out of the list")
    }

    @Test("two folders that name each other's types are seen, and a nested, inner or merely quoted name is not")
    func forms() {
        let files = [
            (folder: "A", names: TypeNames(in: "package struct Road {\n    var car: Car?\n}\nprivate enum State {\n}")),
            (folder: "B", names: TypeNames(in: "final class Car {\n    func turn(on road: Road) {}\n}\nenum Shape {\n}")),
            (
                folder: "C",
                names: TypeNames(in: "struct Sign {\n    enum Shape {\n    }\n    let shape: Shape\n    // A Car and a Road.\n}")
            ),
            (folder: ".", names: TypeNames(in: "let text = \"a Sign // of a Road\", shape = Sign.Shape.round, state: State")),
            (folder: "B", names: TypeNames(in: "let text = \"\"\"\n    A Sign.\n    \"\"\"\nlet sign: Sign")),
        ]
        #expect(Self.pairs(in: "M", files) == [Pair(module: "M", first: "A", second: "B")])
        #expect(Self.arrows(between: files) == ["A": ["B"], "B": ["A", "C"], ".": ["C"]])
    }

    private static func files(of module: String) throws -> [(folder: String, names: TypeNames)] {
        let place = sources.appending(path: module)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: place.path)
            .filter { $0.hasSuffix(".swift") && !$0.contains("Generated") }
        return try paths.map { path in
            let parts = path.split(separator: "/")
            let text = try String(contentsOf: place.appending(path: path), encoding: .utf8)
            return (parts.count > 1 ? String(parts[0]) : ".", TypeNames(in: text))
        }
    }

    /// The folders whose types each folder names.
    private static func arrows(between files: [(folder: String, names: TypeNames)]) -> [String: Set<String>] {
        var homes: [String: String] = [:]
        for file in files {
            for name in file.names.offered { homes[name] = file.folder }
        }
        var arrows: [String: Set<String>] = [:]
        for file in files {
            let folders = Set(file.names.used.compactMap { homes[$0] }).subtracting([file.folder])
            if !folders.isEmpty { arrows[file.folder, default: []].formUnion(folders) }
        }
        return arrows
    }

    private static func pairs(in module: String, _ files: [(folder: String, names: TypeNames)]) -> Set<Pair> {
        let arrows = arrows(between: files)
        var pairs: Set<Pair> = []
        for (folder, others) in arrows {
            for other in others where folder < other && arrows[other]?.contains(folder) == true {
                pairs.insert(Pair(module: module, first: folder, second: other))
            }
        }
        return pairs
    }
}
