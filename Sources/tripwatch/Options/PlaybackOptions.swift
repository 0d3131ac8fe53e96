import ArgumentParser
import TripRecording

/// How a recording is played.
struct PlaybackOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Recorded seconds per real second.", valueName: "n"))
    var speed = 1.0

    @Option(help: ArgumentHelp("Name or id of one of several trips.", valueName: "id"))
    var trip: String?

    func validate() throws {
        guard PlaybackTimeSource.speeds.contains(speed) else { throw ValidationError("--speed is a number from 0.01 to 1000000.") }
    }
}
