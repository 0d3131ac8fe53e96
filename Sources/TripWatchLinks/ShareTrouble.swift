import JourneySharing
import ProgramSurroundings
import TripWatchSharing
import TripWatchWords

/// Errors that the owner of links must know, each told once, and their ends.
struct ShareTrouble {
    private let streams: StandardStreams
    private var told: [LinkSubject: String] = [:]

    init(_ streams: StandardStreams) { self.streams = streams }

    /// Reports a link without a first answer. The link is created anyway, and its page explains why it is empty.
    mutating func sayThatNothingAnswered(_ subject: LinkSubject, _ sentence: String) {
        told[subject] = sentence
        streams.say("tripwatch: \(subject): \(sentence) The link shows the \(subject.noun) when the server answers.")
    }

    /// Reports an error that needs action.
    mutating func say(_ failure: PollFailure, of subject: LinkSubject, _ sentence: String) {
        guard !failure.isWithinGrace, failure.errorClass.exitCode(for: failure.error) != nil else { return }
        guard told.updateValue(sentence, forKey: subject) != sentence else { return }
        streams.say("tripwatch: \(subject): \(sentence)")
    }

    /// Reports the end of an error, at an answer.
    mutating func end(of subject: LinkSubject) {
        guard told.removeValue(forKey: subject) != nil else { return }
        streams.note("tripwatch: \(subject): updates arrive again.")
    }
}
