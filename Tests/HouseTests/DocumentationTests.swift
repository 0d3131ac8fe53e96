import Foundation
import Testing

/// Every public symbol of the libraries has a documentation comment.
@Suite("The house's documentation")
struct DocumentationTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    private static let package = sources.deletingLastPathComponent().appending(path: "Package.swift")

    /// Returns the names of the library products of the package.
    private static func libraries() throws -> [String] {
        let text = try String(contentsOf: package, encoding: .utf8)
        let list = try #require(text.firstMatch(of: #/let libraries = \[([^\]]+)\]/#))
        return list.1.matches(of: #/"(\w+)"/#).map { String($0.1) }
    }

    @Test("the libraries of the package are found, and only the program is another product")
    func products() throws {
        let libraries = try Self.libraries()
        #expect(libraries.contains("Geo") && libraries.contains("TripTesting") && libraries.count > 20)
        let text = try String(contentsOf: Self.package, encoding: .utf8)
        #expect(text.contains("products: [.executable(name: \"tripwatch\", targets: [\"tripwatch\"])] + libraries.map {"))
    }

    @Test("every public declaration of the libraries is described")
    func described() throws {
        for module in try Self.libraries() { try describe(module) }
    }

    private func describe(_ module: String) throws {
        let folder = Self.sources.appending(path: module)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }.sorted()
        #expect(!files.isEmpty, "\(module)")
        for file in files where !file.contains("Generated") {
            let declarations = PublicDeclarations(in: try String(contentsOf: folder.appending(path: file), encoding: .utf8)).found
            let bare = declarations.filter { !$0.isDescribed }.map { "\(module)/\(file):\($0.line): \($0.text)" }
            #expect(bare.isEmpty, "\(bare.joined(separator: "\n"))")
        }
    }

    @Test("public declarations are recognised in each form, with or without a description")
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
