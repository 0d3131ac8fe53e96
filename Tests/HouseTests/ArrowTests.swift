import Foundation
import Testing

/// The rules of the house (Sources/README.md), checked on the sources themselves.
@Suite("The house")
struct ArrowTests {
    /// Floor of each module; arrows run from a higher floor to a lower one, or sideways only where `sideways` says so.
    private static let floors: [String: Int] = [
        "tripwatch": 6, "TripWatchApp": 5, "ConsumerMap": 4, "LocalFleetEngine": 4, "JourneySharing": 3, "Driver": 3, "TripTesting": 5,
        "FleetEngineGRPC": 2, "ProviderBackend": 2, "Navigation": 2, "NavigationSources": 2, "TripRecording": 2, "TerminalMap": 2,
        "TileSources": 2, "TerminalScreen": 2, "FleetEngine": 1, "FleetEngineAPI": 1, "VectorTiles": 1, "DemoTown": 1, "TerminalCanvas": 1,
        "Themes": 1, "Geo": 0, "CNCurses": 0, "CTerminal": 0, "CZlib": 0,
    ]
    /// A source of locations or tiles implements the protocol of the module beside it.
    private static let sideways: [String: Set<String>] = ["NavigationSources": ["Navigation"], "TileSources": ["TerminalMap"]]
    /// Modules that talk to a network, a file or a terminal.
    private static let live: Set<String> = [
        "tripwatch", "LocalFleetEngine", "FleetEngineGRPC", "ProviderBackend", "NavigationSources", "TileSources", "TerminalScreen",
        "TripTesting",
    ]
    private static let liveLibraries: Set<String> = [
        "NIOCore", "NIOPosix", "GRPCNIOTransportHTTP2Posix", "NIOHTTP1", "AsyncHTTPClient", "Hummingbird", "GRDB", "GRDBSQLite",
        "Subprocess",
        "SystemPackage", "Dispatch", "Foundation",
    ]
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    struct Import: Sendable, CustomTestStringConvertible {
        let file: String
        let module: String
        let imported: String
        var testDescription: String { "\(file) imports \(imported)" }
    }

    private static func imports() throws -> [Import] {
        let sources = root.appending(path: "Sources")
        let pattern =
            #/^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|internal|package|private|fileprivate)\s+)?import\s+(?:(?:struct|class|enum|func|protocol)\s+)?(\w+)/#
        var found: [Import] = []
        for module in try FileManager.default.contentsOfDirectory(atPath: sources.path) where module.contains("/") == false {
            let folder = sources.appending(path: module)
            guard let files = FileManager.default.enumerator(atPath: folder.path) else { continue }
            for case let file as String in files where file.hasSuffix(".swift") {
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                for line in text.split(separator: "\n") {
                    guard let match = line.firstMatch(of: pattern) else { continue }
                    found.append(Import(file: "\(module)/\(file)", module: module, imported: String(match.1)))
                }
            }
        }
        return found
    }

    @Test("every module has a floor")
    func everyModuleHasAFloor() throws {
        let imports = try Self.imports()
        #expect(imports.count > 50)
        for module in Set(imports.map(\.module)) { #expect(Self.floors[module] != nil, "\(module) stands on no floor") }
    }

    @Test("arrows run downwards only")
    func arrowsRunDownwards() throws {
        for entry in try Self.imports() {
            guard let from = Self.floors[entry.module], let to = Self.floors[entry.imported] else { continue }
            let isAllowed = to < from || Self.sideways[entry.module]?.contains(entry.imported) == true
            #expect(isAllowed, "\(entry.testDescription)")
        }
    }

    @Test("a pure module imports no live one and no library that does I/O")
    func pureModulesStayPure() throws {
        for entry in try Self.imports() where !Self.live.contains(entry.module) {
            #expect(!Self.live.contains(entry.imported), "\(entry.testDescription)")
            #expect(!Self.liveLibraries.contains(entry.imported), "\(entry.testDescription)")
        }
    }
}
