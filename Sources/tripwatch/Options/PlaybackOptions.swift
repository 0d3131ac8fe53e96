import ArgumentParser
import TripRecording

/// Options of a replay: the speed, the trip to show, and whether to print the recorded calls instead.
struct PlaybackOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Playback speed: 2 is twice as fast.", valueName: "n"))
    var speed = 1.0

    @Option(help: ArgumentHelp("Name or id of the trip, if the file has several.", valueName: "id"))
    var trip: String?

    @Flag(help: "Print each recorded call and what changed in its answer, and exit.")
    var requests = false

    func validate() throws {
        guard PlaybackTimeSource.speeds.contains(speed) else { throw ValidationError("--speed must be a number from 0.01 to 1000000.") }
    }
}
