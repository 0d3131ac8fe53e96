import Foundation
import Testing

/// Checks that no two folders of a module refer to each other's types.
@Suite("The folders of the house")
struct FolderTests {
    /// Two folders of one module, in alphabetical order. `.` stands for the files outside all folders.
    struct Pair: Hashable, Comparable, CustomStringConvertible, Sendable {
        let module: String
        let first: String
        let second: String

        var description: String { "\(module): \(first) and \(second)" }
        static func < (a: Pair, b: Pair) -> Bool { a.description < b.description }
    }

    /// Pairs of folders that are allowed to name each other's types, with the reason.
    private static let exempt: [(module: String, first: String, second: String, reason: String)] = [
        ("LocalFleetEngine", "Calls", "Services", "the actor and its calls are one type in two folders"),
        ("TripWatchScreen", "Driving", "View", "the screen draws the driver's lines with the views of all pages"),
        ("TripWatchScreen", "List", "View", "the screen draws the list of trips with the views of all pages"),
        ("TripWatchScreen", "State", "View", "the map in the state has the size and the look that the views give it"),
        ("TripWatchScreen", "View", "Words", "a banner uses the short words of the views of few lines"),
        ("TripWatchWords", "Output", "Words", "a phrase names its phase in a status report"),
        ("tripwatch", ".", "Commands", "the program lists its commands, and some commands print its name, version and words"),
        ("tripwatch", ".", "Options", "the program reads its options, and options name the program and its version"),
    ]
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    @Test("of two folders of a module, only one names types of the other")
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

    @Test("two folders that name each other's types are found, and a nested, inner or merely quoted name is ignored")
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

    /// Returns, for each folder, the other folders whose types it names.
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
