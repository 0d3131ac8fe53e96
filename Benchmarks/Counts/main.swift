import Glibc
import Scenery
import TileSources

// `count.py` runs this program under valgrind, which counts the instructions of its work. The main thread waits for
// asynchronous work, because valgrind 3.19 crashes on Swift's asynchronous `main`.

/// Prints the reason and ends the program.
func stop(_ reason: String) -> Never {
    print(reason)
    exit(2)
}

/// Reads the tile with the most data, `count` times.
func readTiles(_ path: String, count: Int) throws {
    guard let id = Paris.heavyTile else { return }
    let file = try BaseMapFile(path: path)
    for _ in 0..<count {
        let features = try waitFor { try await file.tile(id)?.featureCount ?? 0 }
        guard features > 1_000 else { stop("the tile \(id) is not in the file") }
    }
}

/// Paints `count` panned frames.
func paintFrames(_ path: String, count: Int) throws {
    try waitFor {
        let scenery = try await Paris.scenery(path)
        for _ in 0..<count { scenery.pan() }
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count >= 0, ["frame", "tile"].contains(arguments[1]) else {
    stop("usage: Counts frame|tile COUNT")
}
guard let path = Paris.path else { exit(0) }
do {
    if arguments[1] == "frame" { try paintFrames(path, count: count) } else { try readTiles(path, count: count) }
} catch {
    stop("\(error)")
}
