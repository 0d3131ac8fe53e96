import DemoTown
import Foundation
import TownTiles

/// Writes the invented town as a map file: to the file in the program's sources, or to the path in the argument.
@main
struct TownMaker {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count <= 1 else {
            FileHandle.standardError.write(Data("usage: TownMaker [FILE]\n".utf8))
            exit(64)
        }
        let place = URL(filePath: arguments.first ?? "../../Sources/CTown/town.pmtiles")
        let archive = Data(TownArchive.bytes(of: DemoTown()))
        try archive.write(to: place)
        print("\(place.relativePath): \(archive.count) bytes")
    }
}
