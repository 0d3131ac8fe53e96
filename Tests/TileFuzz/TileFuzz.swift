import FoundationEssentials
import Glibc

/// Makes broken tiles and archives, and reads them with all their readers, for a given time.
///
///     TileFuzz [--seconds S] [--seed N] [--directory DIR] [--seeds DIR] [tile|blob|pmtiles|directory|mbtiles]...
///
/// Each input is written to DIR before it is read. After a trap, DIR has the input that caused it.
@main
enum TileFuzz {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        func value(_ name: String) -> String? {
            arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
        let seconds = value("--seconds").flatMap { Double($0) } ?? 10
        let seed = value("--seed").flatMap { UInt64($0) } ?? 1
        let directory = value("--directory") ?? FileManager.default.temporaryDirectory.path + "/TileFuzz-\(getpid())"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let named = arguments.compactMap { FuzzKind(rawValue: $0) }
        let kinds = named.isEmpty ? FuzzKind.allCases : named
        print("inputs go to \(directory), seed \(seed)")
        var isWrong = false
        for kind in kinds {
            let more = value("--seeds").map { seeds(for: kind, in: $0) } ?? []
            var fuzzer = try Fuzzer(kind, seed: seed, directory: directory, moreSeeds: more)
            let end = ContinuousClock.now + .seconds(seconds / Double(kinds.count))
            while ContinuousClock.now < end { try await fuzzer.step() }
            report(fuzzer)
            isWrong = isWrong || !fuzzer.failures.isEmpty
        }
        exit(isWrong ? 1 : 0)
    }

    private static func report(_ fuzzer: Fuzzer) {
        let counts = fuzzer.counts.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
        let milliseconds = (fuzzer.slowest.seconds * 1000).rounded()
        print("\(fuzzer.kind): \(fuzzer.number) inputs: \(counts); slowest \(milliseconds) ms (number \(fuzzer.slowest.number))")
        fflush(nil)
    }

    /// Returns the small files of a kind, in a directory and all directories below it.
    private static func seeds(for kind: FuzzKind, in directory: String) -> [[UInt8]] {
        let endings: [String]
        switch kind {
        case .tile: endings = [".mvt", ".pbf"]
        case .blob: endings = [".mvt.gz", ".gz"]
        case .pmtiles, .directory: endings = [".pmtiles"]
        case .mbtiles: endings = [".mbtiles"]
        }
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: directory)) ?? []
        return names.sorted().filter { name in endings.contains { name.hasSuffix($0) } }.compactMap {
            guard let data = try? Data(contentsOf: URL(filePath: directory + "/" + $0)), data.count < 300_000 else { return nil }
            return [UInt8](data)
        }
    }
}
