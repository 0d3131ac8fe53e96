import JourneySharing
import ProgramSurroundings
import TripWatchWords

/// Reports the first failure of a command without a screen, so that the user knows why there is no answer yet. Writes to standard error.
@MainActor
final class FirstFailure {
    private let server: String
    private let streams: StandardStreams
    private var isSaid = false

    /// - Parameter server: the name of the server, which the report mentions.
    init(at server: String, _ streams: StandardStreams) {
        self.server = server
        self.streams = streams
    }

    /// Reports a failure, unless an earlier one was reported. A missing trip is not reported while the server may still be creating it.
    /// - Parameter isLast: whether the command ends with this failure. The last failure is always reported, without "Trying again".
    func say(_ failure: PollFailure, isLast: Bool = false) {
        guard isLast || !isSaid && !failure.isWithinGrace else { return }
        isSaid = true
        let retry = isLast ? "" : " Trying again in \(TripWords.age(failure.retryInSeconds.rounded(.up)))."
        streams.say("tripwatch: \(FailureWords(failure).sentence(at: server))\(retry)")
    }
}
