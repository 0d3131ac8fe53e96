import JourneySharing
import ProgramSurroundings
import TripWatchWords

/// Reports on standard error why a command without a screen has no answer yet: only the first failure, and immediately.
@MainActor
final class FirstFailure {
    private let server: String
    private let streams: StandardStreams
    private var isSaid = false

    /// - Parameter server: name of the server.
    init(at server: String, _ streams: StandardStreams) {
        self.server = server
        self.streams = streams
    }

    /// Reports a failure if none was reported before.
    /// - Parameter isLast: whether the command ends with the failure, so that it is always reported and no retry is announced.
    func say(_ failure: PollFailure, isLast: Bool = false) {
        guard isLast || !isSaid && !failure.isWithinGrace else { return }
        isSaid = true
        let retry = isLast ? "" : " Trying again in \(TripWords.age(failure.retryInSeconds.rounded(.up)))."
        streams.say("tripwatch: \(FailureWords(failure).sentence(at: server))\(retry)")
    }
}
