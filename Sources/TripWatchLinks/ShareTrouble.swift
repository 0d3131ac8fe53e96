import JourneySharing
import ProgramSurroundings
import TripWatchSharing
import TripWatchWords

/// Reports errors that concern the person who shares links. Each error is reported once when it occurs, and once when it ends.
struct ShareTrouble {
    private let streams: StandardStreams
    private var told: [FollowedName: String] = [:]

    init(_ streams: StandardStreams) { self.streams = streams }

    /// Reports that no answer about a trip or shipment has arrived yet. The link is created anyway, and its page says why it is empty.
    mutating func sayThatNothingAnswered(_ subject: FollowedName, _ sentence: String) {
        told[subject] = sentence
        streams.say("tripwatch: \(subject): \(sentence) The link will show the \(subject.noun) once the server answers.")
    }

    /// Reports an error that requires the user to act.
    mutating func say(_ failure: PollFailure, of subject: FollowedName, _ sentence: String) {
        guard !failure.isWithinGrace, failure.errorClass.exitCode(for: failure.error) != nil else { return }
        guard told.updateValue(sentence, forKey: subject) != sentence else { return }
        let wait = TripWords.age(failure.retryInSeconds.rounded(.up))
        streams.say("tripwatch: \(subject): \(sentence) Trying again in \(wait).")
    }

    /// Reports that updates are arriving again, if an error was reported before.
    mutating func end(of subject: FollowedName) {
        guard told.removeValue(forKey: subject) != nil else { return }
        streams.note("tripwatch: \(subject): updates are arriving again.")
    }
}
