import FoundationEssentials
import TripWatchWords

extension Surroundings {
    /// Returns whether a file or a folder exists at this path.
    package func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: absolute(path)) }

    /// Returns the names of the files and folders in a folder; empty if the folder cannot be read.
    package func names(in folder: String) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: absolute(folder))) ?? [] }

    /// Writes files into a folder. Creates the folder if it does not exist.
    ///
    /// - Throws: `Failure` if the folder cannot be created or a file cannot be written.
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
