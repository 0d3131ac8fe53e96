import Files
import FoundationEssentials
package import ProgramSurroundings
package import TripWatchSettings

/// The themes of the user, files in the directory `themes` beside the configuration file.
package struct ThemeFolder: Sendable {
    /// Empty without a home directory.
    private let path: String

    package init(_ surroundings: Surroundings) {
        path = surroundings.configurationFile.map { $0.folder + "/themes" } ?? ""
    }

    /// These themes and those in the program.
    package var catalog: ThemeCatalog {
        let files = path.isEmpty ? [] : (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return ThemeCatalog(userThemes: files.filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(5)) }) { file in
            self.file(of: file).flatMap { Self.bytes($0) }
        }
    }

    /// The path of a file, if it is there.
    package func file(of name: String) -> String? {
        let file = path + "/" + name
        return !path.isEmpty && FileManager.default.fileExists(atPath: file) ? file : nil
    }

    /// A file, at most one byte more than it may have; nil where it cannot be read.
    static func bytes(_ path: String) -> [UInt8]? {
        let limit = ThemeCatalog.maximumFileBytes
        do throws(SmallFile.Trouble) {
            return try SmallFile.bytes(path: path, limit: limit)
        } catch {
            // Of one that is too long its length is all that is told.
            return error == .tooLarge ? Array(repeating: 0, count: limit + 1) : nil
        }
    }
}
