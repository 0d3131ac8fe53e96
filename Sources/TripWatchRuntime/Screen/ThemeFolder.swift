import Files
import FoundationEssentials
package import ProgramSurroundings
package import TripWatchSettings

/// The user's themes. They are files in the directory `themes` beside the configuration file.
package struct ThemeFolder: Sendable {
    /// The path of the folder; empty without a home directory.
    private let path: String

    package init(_ surroundings: Surroundings) {
        path = surroundings.configurationFile.map { $0.folder + "/themes" } ?? ""
    }

    /// The user's themes and the built-in themes.
    package var catalog: ThemeCatalog {
        let files = path.isEmpty ? [] : (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return ThemeCatalog(userThemes: files.filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(5)) }) { file in
            self.file(of: file).flatMap { Self.bytes($0) }
        }
    }

    /// Returns the path of a file in the folder; nil if the file does not exist.
    package func file(of name: String) -> String? {
        let file = path + "/" + name
        return !path.isEmpty && FileManager.default.fileExists(atPath: file) ? file : nil
    }

    /// Returns the contents of a file; nil if it cannot be read. For a file above the size limit, returns more zeros than the limit allows.
    static func bytes(_ path: String) -> [UInt8]? {
        let limit = ThemeCatalog.maximumFileBytes
        do throws(SmallFile.Trouble) {
            return try SmallFile.bytes(path: path, limit: limit)
        } catch {
            // Only the length matters, because the catalog refuses a file of this length.
            return error == .tooLarge ? Array(repeating: 0, count: limit + 1) : nil
        }
    }
}
