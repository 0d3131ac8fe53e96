import FoundationEssentials

/// Files with valid input: those of the tests, the themes and the town, and those of a folder that the user names.
struct Corpus {
    /// Size of the largest file that is used whole, bytes.
    private static let largestFile = 300_000
    /// Size of the part of a text file that is used, bytes. A smaller input can be tried more often.
    private static let largestText = 24_000
    private static let mostFiles = 60
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private let files: [URL]

    /// - Parameter directory: a folder with more files; nil for none.
    init(_ directory: String?) {
        let package = Self.tests.deletingLastPathComponent()
        let folders = [Self.tests, package.appending(path: "themes"), package.appending(path: "Sources/CTown")]
        files = (folders + (directory.map { [URL(filePath: $0)] } ?? [])).flatMap { folder in
            ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).sorted().map { folder.appending(path: $0) }
        }
    }

    /// The contents of the files with these endings.
    func inputs(_ endings: [String]) -> [[UInt8]] {
        let named = files.filter { file in endings.contains { file.lastPathComponent.hasSuffix($0) } }
        return named.prefix(Self.mostFiles).compactMap { file in
            guard let data = try? Data(contentsOf: file) else { return nil }
            let isText = data.prefix(1) == Data("{".utf8) && data.prefix(Self.largestText).contains(0x0a)
            return isText ? Self.lines(Array(data)) : data.count <= Self.largestFile ? Array(data) : nil
        }
    }

    /// The first lines up to `largestText` bytes; a longer first line is cut.
    private static func lines(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > largestText else { return bytes }
        return Array(bytes[...(bytes[..<largestText].lastIndex(of: 0x0a) ?? largestText)])
    }

    /// The contents of a file of the tests; empty if it is missing.
    static func text(of path: String) -> String {
        (try? String(contentsOf: tests.appending(path: path), encoding: .utf8)) ?? ""
    }
}
