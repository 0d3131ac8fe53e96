import Foundation
import Testing

/// What the libraries offer to others is described where it is declared.
@Suite("The house's documentation")
struct DocumentationTests {
    /// The modules that others build on, and the pure ones that their declarations show.
    private static let modules = [
        "Geo", "Routing", "FleetEngine", "FleetEngineWire", "FleetEngineGRPC", "JourneySharing", "ConsumerMap", "Driver", "Navigation",
        "FleetEngineAccess", "LocalFleetEngine", "HTTPServing", "PhoneIntake", "MapRouting", "WebRouting", "LocationSources",
    ]
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    @Test("every public declaration of the libraries is described", arguments: modules)
    func described(module: String) throws {
        let folder = Self.sources.appending(path: module)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") && !$0.contains("Generated") }.sorted()
        #expect(!files.isEmpty)
        for file in files {
            let declarations = PublicDeclarations(in: try String(contentsOf: folder.appending(path: file), encoding: .utf8)).found
            let bare = declarations.filter { !$0.isDescribed }.map { "\(module)/\(file):\($0.line): \($0.text)" }
            #expect(bare.isEmpty, "\(bare.joined(separator: "\n"))")
        }
    }

    @Test("a public declaration is seen in each of its forms, and whether it is described")
    func forms() {
        let text = #"""
            public import Geo

            /// Described.
            @frozen
            public enum Sign {
                case bare
                /// Described.
                case left, right

                public var text: String {
                    switch self {
                    case .bare: "public var no: Int"
                    default: """
                        public let no = 1
                        """
                    }
                }
                private enum CodingKeys: String { case bare }
                public static func == (a: Sign, b: Sign) -> Bool { true }
                public func hash(into hasher: inout Hasher) {}
                public var description: String { "" }
            }
            public protocol Road {
                var length: Double { get }
                /// Described.
                func turn()
            }
            extension Road {
                public func turn() {}
            }
            @MainActor public final class Car {
                // A comment is no description.
                public private(set) var speed = 1.0
                /// Described.
                @inlinable
                @discardableResult
                public func turn() -> Int { 0 }
                nonisolated public static let wheels = 4
                func inner() {}
                // public let no = 1
            }
            enum Inner {
                case no
            }
            """#
        let found = PublicDeclarations(in: text).found
        let bare = found.filter { !$0.isDescribed }
        #expect(
            bare.map(\.text) == [
                "case bare", "public var text: String {", "public protocol Road {", "var length: Double { get }",
                "@MainActor public final class Car {", "public private(set) var speed = 1.0", "nonisolated public static let wheels = 4",
            ])
        #expect(bare.first?.line == 6)
        #expect(found.count == bare.count + 4)
    }
}
