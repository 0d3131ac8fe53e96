import FoundationEssentials
import TripWatchWords

extension Surroundings {
    /// Whether a file or a folder is at this path.
    package func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: absolute(path)) }

    /// The names in a folder; empty if the folder cannot be read.
    package func names(in folder: String) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: absolute(folder))) ?? [] }

    /// Writes files into a folder, and makes the folder if needed.
    ///
    /// - Throws: `Failure` if the folder cannot be made or a file cannot be written.
    package func write(_ files: [(name: String, text: String)], to folder: String) throws(Failure) {
        let path = absolute(folder)
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for file in files { try Data(file.text.utf8).write(to: URL(filePath: path).appending(path: file.name)) }
        } catch {
            throw Failure(message: "\(printable(folder)) cannot be written.", exitCode: ExitCodes.failed)
        }
    }
}
