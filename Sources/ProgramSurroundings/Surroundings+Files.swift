import FoundationEssentials
import TripWatchWords

extension Surroundings {
    /// Whether there is a file or a folder.
    package func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: absolute(path)) }

    /// What is in a folder. Nothing where it cannot be read.
    package func names(in folder: String) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: absolute(folder))) ?? [] }

    /// Writes files into a folder, which is made where there is none.
    ///
    /// - Throws: `Failure` where that cannot be done.
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
