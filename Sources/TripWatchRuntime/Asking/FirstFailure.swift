import JourneySharing
import ProgramSurroundings
import TripWatchWords

/// Says on standard error why a command without a screen has no answer yet: the first failure, at once, and no other.
@MainActor
final class FirstFailure {
    private let server: String
    private let streams: StandardStreams
    private var isSaid = false

    /// - Parameter server: its name.
    init(at server: String, _ streams: StandardStreams) {
        self.server = server
        self.streams = streams
    }

    /// - Parameter isLast: the command ends with it, so that it is said in any case, and no other try is announced.
    func say(_ failure: PollFailure, isLast: Bool = false) {
        guard isLast || !isSaid && !failure.isWithinGrace else { return }
        isSaid = true
        let retry = isLast ? "" : " Trying again in \(TripWords.age(failure.retryInSeconds.rounded(.up)))."
        streams.say("tripwatch: \(FailureWords(failure).sentence(at: server))\(retry)")
    }
}
