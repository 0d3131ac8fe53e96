import JourneySharing
import ProgramSurroundings
import TripWatchSharing
import TripWatchWords

/// Reports errors that the owner of links must know of, each once, and when they end.
struct ShareTrouble {
    private let streams: StandardStreams
    private var told: [LinkSubject: String] = [:]

    init(_ streams: StandardStreams) { self.streams = streams }

    /// Reports that the first answer for a link is missing. The link is created anyway, and its page explains why it is empty.
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

    /// Reports that an error has ended, because an answer arrived.
    mutating func end(of subject: LinkSubject) {
        guard told.removeValue(forKey: subject) != nil else { return }
        streams.note("tripwatch: \(subject): updates arrive again.")
    }
}
