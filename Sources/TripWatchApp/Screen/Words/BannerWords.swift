import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas

/// What stands across the screen when something is wrong: one line where we are trying again, two where the user must do something.
struct BannerWords: Hashable {
    var needsUser: Bool
    /// Sentences that belong on a line each, and may share one: what it means for the trip, the one thing to do or how old what is shown is.
    private var sentences: [String]
    /// The same for a small screen.
    private var short: [String]

    init?(_ page: TripPage, _ state: AppState) {
        guard let failure = page.failure, !page.status.isFinal else { return nil }
        let words = FailureWords(failure)
        needsUser = page.needsUser
        let retry = page.retrySeconds(now: state.now).map { Self.retry($0) } ?? ""
        if needsUser {
            let isWaiting = failure.errorClass == .actionRequired(.waitForQuota)
            sentences = page.trip == nil ? [words.meaning + "."] : [words.meaning + ", so updates have stopped.", "Nothing was cancelled."]
            let advice = "Do this: \(words.advice ?? "Ask the provider.") \(isWaiting ? retry : "Then press r.")"
            sentences.append(advice)
            short = [words.meaning + ".", advice]
        } else {
            sentences = ["\(words.meaning). \(retry)"]
            short = sentences
            if let answer = page.observer.lastAnswerAt {
                sentences.append("Map and ETA are from \(state.clock(answer, withSeconds: true)).")
            }
        }
    }

    /// The lines of the banner, at most so many: all that there is to say, or less of it, but the advice to the last.
    func lines(columns: Int, maximumLines: Int) -> [String] {
        let room = max(1, columns - Self.indent)
        let full = Self.set(sentences, columns: room, key: needsUser ? "" : "   r now")
        if full.count <= maximumLines { return full }
        let reduced = Self.set(short, columns: room, key: "")
        if reduced.count <= maximumLines { return reduced }
        let advice = wrapped(short.last ?? "", columns: room, maximumLines: max(1, maximumLines - 1))
        let first = short.count > 1 && maximumLines > 1 ? [fitted(short[0], columns: room)] : []
        return first + advice
    }

    /// Sentences as lines: two share one where they fit, a long one takes two.
    private static func set(_ sentences: [String], columns: Int, key: String) -> [String] {
        var lines: [String] = []
        for (index, sentence) in sentences.enumerated() {
            let text = index == sentences.count - 1 ? sentence + key : sentence
            if let last = lines.last, displayWidth(last) + 2 + displayWidth(text) <= columns {
                lines[lines.count - 1] = "\(last)  \(text)"
            } else {
                lines.append(text)
            }
        }
        return lines.flatMap { displayWidth($0) <= columns ? [$0] : wrapped($0, columns: columns, maximumLines: 2) }
    }

    /// The column of the text; the sign stands before it.
    static let indent = 3

    private static func retry(_ seconds: Double) -> String {
        seconds >= 1 ? "Trying again in \(TripWords.age(seconds.rounded(.up)))." : "Trying again now."
    }
}
