import Files
import FleetEngineAccess
import Foundation
import ProgramSurroundings

/// Provider API keys with limited rights: the files `desk-NAME.key` of a folder.
struct LimitedKeys: Sendable {
    private static let prefix = "desk-"
    private static let suffix = ".key"
    /// Maximum number of key files. If the folder has more, only the first ones by name are used.
    private static let mostKeys = 1_000

    let folder: String
    /// Path of the file with the full-rights key, which may be in the same folder.
    let fullKeyPath: String

    /// Paths of all key files; empty if the folder cannot be read.
    var paths: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let found = names.filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }.sorted().prefix(Self.mostKeys)
        return found.map { folder + "/" + $0 }.filter { $0 != fullKeyPath }
    }

    /// Reads the keys. Also returns a sentence for each file that is ignored.
    /// - Parameter full: the secret of the key with all rights.
    func read(beside full: String) -> (keys: [DeskKey], troubles: [String]) {
        var known = [DeskKey(name: DeskKey.fullName, secret: full, rights: [])]
        var troubles: [String] = []
        for path in paths {
            do throws(DeskKeyError) {
                let key = try DeskKey(name: name(path), text: try text(path))
                guard !known.contains(where: key.hasSameSecret) else {
                    throw DeskKeyError("has the same key as another file: put a different key in it")
                }
                known.append(key)
            } catch {
                troubles.append("\(printable(path)) \(error). This file is ignored.")
            }
        }
        return (Array(known.dropFirst()), troubles)
    }

    /// Returns the name of the key in a file: `desk-NAME`.
    private func name(_ path: String) -> String { String(path.dropFirst(folder.count + 1).dropLast(Self.suffix.count)) }

    private func text(_ path: String) throws(DeskKeyError) -> String {
        do throws(SmallFile.Trouble) {
            return String(decoding: try SmallFile.bytes(path: path, limit: DeskKeyFile.largestKiB << 10), as: UTF8.self)
        } catch {
            throw DeskKeyError(error.words(limitKiB: DeskKeyFile.largestKiB))
        }
    }
}
