import Files
import FleetEngineAccess
import Foundation
import ProgramSurroundings

/// The keys of the provider API that have some rights: the files `desk-NAME.key` of a folder.
struct LimitedKeys: Sendable {
    private static let prefix = "desk-"
    private static let suffix = ".key"
    /// More files than these are not read; the first by name are.
    private static let mostKeys = 1_000

    let folder: String
    /// The file of the key with all rights, which may stand in the same folder.
    let fullKeyPath: String

    /// Paths of all files that should be keys; none where the folder cannot be read.
    var paths: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let found = names.filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }.sorted().prefix(Self.mostKeys)
        return found.map { folder + "/" + $0 }.filter { $0 != fullKeyPath }
    }

    /// The keys, and a sentence for each file that grants nothing.
    /// - Parameter full: the secret of the key with all rights.
    func read(beside full: String) -> (keys: [DeskKey], troubles: [String]) {
        var known = [DeskKey(name: DeskKey.fullName, secret: full, rights: [])]
        var troubles: [String] = []
        for path in paths {
            do throws(DeskKeyError) {
                let key = try DeskKey(name: name(path), text: try text(path))
                guard !known.contains(where: key.hasSameSecret) else {
                    throw DeskKeyError("has the key of another file: write a key of its own")
                }
                known.append(key)
            } catch {
                troubles.append("\(printable(path)) \(error). It grants nothing.")
            }
        }
        return (Array(known.dropFirst()), troubles)
    }

    /// `desk-NAME`.
    private func name(_ path: String) -> String { String(path.dropFirst(folder.count + 1).dropLast(Self.suffix.count)) }

    private func text(_ path: String) throws(DeskKeyError) -> String {
        do throws(SmallFile.Trouble) {
            return String(decoding: try SmallFile.bytes(path: path, limit: DeskKeyFile.largestKiB << 10), as: UTF8.self)
        } catch {
            throw DeskKeyError(error.words(limitKiB: DeskKeyFile.largestKiB))
        }
    }
}
