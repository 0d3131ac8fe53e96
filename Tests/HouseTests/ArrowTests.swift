import Foundation
import Testing

/// Checks the imports between modules in the sources against the rules of Sources/README.md.
@Suite("The modules of the house")
struct ArrowTests {
    /// A module as a row of the table in Sources/README.md describes it. Several C modules share a row.
    struct Module: Sendable {
        let floor: Int
        /// Whether the module works with a network, a file or a terminal.
        let isLive: Bool
    }

    struct Import: Sendable {
        let file: String
        let module: String
        let imported: String
        var words: String { "\(file) imports \(imported)" }
    }

    /// Libraries that a pure module may import, besides the package's own pure modules in Swift.
    private static let pureLibraries: Set<String> = [
        "Swift", "FoundationEssentials", "Glibc", "Synchronization", "DequeModule", "HeapModule",
        // Libraries for protobuf messages and gRPC calls.
        "SwiftProtobuf", "GRPCCore", "GRPCProtobuf",
        // Libraries for signatures.
        "Crypto", "CryptoExtras", "JWTKit",
        // C libraries that only compute and do no I/O.
        "CQRCode", "CZlib",
    ]
    /// The highest floor that has tools. Tools are live modules that all live modules above them may use.
    private static let highestTool = 2
    /// Live modules on the floor of this module, or on a higher floor, may use all live modules below them.
    private static let lowestMeeting = "ProgramSurroundings"
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    private static func modules() throws -> [String: Module] {
        let text = try String(contentsOf: sources.appending(path: "README.md"), encoding: .utf8)
        var modules: [String: Module] = [:]
        for line in text.split(separator: "\n") {
            guard let row = line.firstMatch(of: #/^\| (\d+) \| ([^|]+) \|/#), let floor = Int(row.1) else { continue }
            for name in row.2.matches(of: #/`(\w+)`/#) {
                modules[String(name.1)] = Module(floor: floor, isLive: row.2.contains("⚡"))
            }
        }
        return modules
    }

    private static func imported(in text: String) -> [String] {
        let pattern =
            #/^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|internal|package|private|fileprivate)\s+)?import\s+(?:(?:struct|class|enum|func|protocol|typealias|var|let)\s+)?(\w+)/#
        // On systems without FoundationEssentials, generated code imports Foundation instead.
        let code = text.replacing("#else\npublic import Foundation\n#endif", with: "")
        return code.split(separator: "\n").filter { $0.contains("import") }.compactMap { $0.firstMatch(of: pattern).map { String($0.1) } }
    }

    /// All imports of the sources, read once for all tests.
    private static let read: Result<[Import], any Error> = Result {
        var found: [Import] = []
        for module in try folders() {
            let folder = sources.appending(path: module)
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
            for file in files {
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                found += imported(in: text).map { Import(file: "\(module)/\(file)", module: module, imported: $0) }
            }
        }
        return found
    }

    private static func imports() throws -> [Import] { try read.get() }

    private static func folders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { !$0.contains(".") }
    }

    @Test("every module is on a floor, and every floor lists only modules that exist")
    func floors() throws {
        // The themes have a folder of their own beside the sources, where users look for them.
        let themes = Self.sources.deletingLastPathComponent().appending(path: "themes")
        #expect(FileManager.default.fileExists(atPath: themes.path))
        #expect(Set(try Self.modules().keys) == Set(try Self.folders() + ["Themes"]))
    }

    @Test("imports point only downwards")
    func arrowsRunDownwards() throws {
        let modules = try Self.modules()
        let arrows = try Self.imports().filter { modules[$0.imported] != nil }
        #expect(arrows.count > 200)
        for arrow in arrows {
            guard let from = modules[arrow.module], let to = modules[arrow.imported] else { continue }
            #expect(to.floor < from.floor, "\(arrow.words)")
        }
    }

    @Test("a pure module imports only pure modules and listed libraries, and every listed library is used")
    func pureModulesStayPure() throws {
        let modules = try Self.modules()
        let pure = try Self.imports().filter { modules[$0.module]?.isLive == false }
        #expect(pure.count > 200)
        var used: Set<String> = []
        for entry in pure {
            let isOfHouse = modules[entry.imported]?.isLive == false && !Self.isC(entry.imported)
            if !isOfHouse { used.insert(entry.imported) }
            #expect(isOfHouse || Self.pureLibraries.contains(entry.imported), "\(entry.words)")
        }
        #expect(Self.pureLibraries.isSubset(of: used))
    }

    @Test("live modules use tools of the lower floors, and are combined only on the floors of the program")
    func liveModulesMeet() throws {
        let modules = try Self.modules()
        let meeting = try #require(modules[Self.lowestMeeting]?.floor)
        let arrows = try Self.imports().filter { modules[$0.module]?.isLive == true && modules[$0.imported]?.isLive == true }
        #expect(arrows.count > 50)
        for arrow in arrows {
            guard let from = modules[arrow.module]?.floor, let to = modules[arrow.imported]?.floor else { continue }
            #expect(from >= meeting || to <= Self.highestTool, "\(arrow.words)")
        }
    }

    private static func isC(_ module: String) -> Bool { module.first == "C" && module.dropFirst().first?.isUppercase == true }

    @Test("an import is recognised in each of its forms, and not in a comment")
    func forms() {
        let text = """
            import A
            public import B
            @testable import C
            @preconcurrency internal import struct D.Part
            #if canImport(E)
                import E
            #endif
            @_spi(Inner) import F
            // import G
            /// import G
            let important = 1
            """
        #expect(Self.imported(in: text) == ["A", "B", "C", "D", "E", "F"])
    }
}
