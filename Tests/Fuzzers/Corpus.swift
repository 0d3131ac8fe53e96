import FoundationEssentials

/// Files with valid input: the tests' own files, the themes, the town, and files in a folder that the user names.
struct Corpus {
    /// The maximum size, in bytes, of a file that is used as a whole.
    private static let largestFile = 300_000
    /// The maximum number of bytes of a text file that are used. Smaller inputs are tried more often in the same time.
    private static let largestText = 16_000
    private static let mostFiles = 60
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private let files: [URL]

    /// - Parameter directory: the path of a folder with more files; nil for none.
    init(_ directory: String?) {
        let package = Self.tests.deletingLastPathComponent()
        let folders = [Self.tests, package.appending(path: "themes"), package.appending(path: "Sources/CTown")]
        files = (folders + (directory.map { [URL(filePath: $0)] } ?? [])).flatMap { folder in
            ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).sorted().map { folder.appending(path: $0) }
        }
    }

    /// Returns input from the first 60 files whose names have these endings. JSON text with several lines is cut after its first lines if
    /// it has more than `largestText` bytes. Any other file is used as a whole, or left out if it has more than `largestFile` bytes.
    func inputs(_ endings: [String]) -> [[UInt8]] {
        let named = files.filter { file in endings.contains { file.lastPathComponent.hasSuffix($0) } }
        return named.prefix(Self.mostFiles).compactMap { file in
            guard let data = try? Data(contentsOf: file) else { return nil }
            let isText = data.prefix(1) == Data("{".utf8) && data.prefix(Self.largestText).contains(0x0a)
            return isText ? Self.lines(Array(data)) : data.count <= Self.largestFile ? Array(data) : nil
        }
    }

    /// Returns the first lines of a file, up to `largestText` bytes. The caller checks that the first line fits.
    private static func lines(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > largestText else { return bytes }
        return Array(bytes[...(bytes[..<largestText].lastIndex(of: 0x0a) ?? largestText)])
    }

    /// Returns the text of one of the tests' own files; empty if the file is missing.
    static func text(of path: String) -> String {
        (try? String(contentsOf: tests.appending(path: path), encoding: .utf8)) ?? ""
    }
}
