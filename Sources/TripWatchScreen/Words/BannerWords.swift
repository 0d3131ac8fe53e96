import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// The banner for a failure: the diagnosis and, if the user must act, an instruction.
struct BannerWords: Hashable {
    var needsUser: Bool
    /// A sentence, and its widest form during the countdown. The widest form sets the number of lines, so the number does not change during
    /// the countdown.
    private struct Sentence: Hashable {
        var shown: String
        var widest: String

        init(_ text: String) { (shown, widest) = (text, text) }

        init(_ before: String, _ retry: Sentence) {
            (shown, widest) = (before + retry.shown, before + retry.widest)
        }

        /// - Parameters:
        ///   - seconds: time until the next retry; nil for none.
        ///   - wait: time between the failure and the next retry, in seconds.
        init(retryIn seconds: Double?, of wait: Double) {
            self.init("")
            guard let seconds else { return }
            let texts = [seconds, wait, min(wait, 3_599), min(wait, 59), 0].map(BannerWords.retry)
            shown = texts.first ?? ""
            widest = texts.max { displayWidth($0) < displayWidth($1) } ?? ""
        }

        func followed(by text: Sentence, with gap: String = "") -> Sentence {
            var result = self
            result.shown += gap + text.shown
            result.widest += gap + text.widest
            return result
        }

        func fits(_ columns: Int) -> Bool { displayWidth(widest) <= columns }

        /// A shorter form of the sentence.
        private var brief: Sentence {
            var result = self
            result.shown = shown.replacing(BannerWords.tryingAgain, with: "Retrying")
            result.widest = widest.replacing(BannerWords.tryingAgain, with: "Retrying")
            return result
        }

        /// Returns the lines of the sentence, padded with empty lines to the number that its widest form needs.
        func lines(columns: Int, maximumLines: Int) -> [String] {
            if fits(columns) { return [shown] }
            if brief.fits(columns) { return [brief.shown] }
            let count = wrapped(widest, columns: columns, maximumLines: maximumLines).count
            let lines = wrapped(shown, columns: columns, maximumLines: maximumLines)
            return lines + Array(repeating: "", count: max(0, count - lines.count))
        }
    }

    /// The sentences of the banner: the diagnosis, then the instruction or the age of the shown data. Sentences that fit in one line share
    /// it.
    private var sentences: [Sentence]
    /// The possible cause of a failure that needs no action, or some advice about it. It comes last, if there is room.
    private var remark: Sentence?
    /// Sentences for a small screen.
    private var short: [Sentence]
    /// Short form of the first sentence.
    private var brief = ""
    /// Server and cause, on a separate line below the first sentence; nil without a server.
    private var cause: String?
    /// Key hint after the sentences, if there is room.
    private var key = ""

    init?(_ page: TripPage, _ state: AppState) {
        guard let failure = page.failure, !page.status.isFinal else { return nil }
        let words = FailureWords(failure)
        let answer = page.journey.lastAnswerAt.map { state.clock(page.clockTime($0), withSeconds: true) }
        let what = page.journey.forecast.shown == nil ? "The data is" : "Map and ETA are"
        let trouble = Trouble(
            failure: failure, meaning: words.meaning, advice: words.advice, cause: words.cause, brief: LinesView.shortWords(failure),
            consequences: page.trip == nil ? nil : "Nothing was cancelled.",
            oldness: answer.map { "\(what) from \($0)." })
        self.init(trouble, page, state)
    }

    /// The texts that a page has for its failure.
    struct Trouble {
        let failure: PollFailure
        let meaning: String
        let advice: String?
        /// The cause in words; empty if the server answered.
        let cause: String
        /// Diagnosis in a few words.
        let brief: String
        /// Reassuring sentence, for example that the trip was not cancelled; may be empty. Nil before the first answer.
        let consequences: String?
        /// Sentence about the age of the shown data; nil without data.
        let oldness: String?
    }

    init(_ trouble: Trouble, _ page: some PolledPage, _ state: AppState) {
        let failure = trouble.failure
        needsUser = page.needsUser
        cause = Self.cause(trouble.cause, at: state.options.endpoint)
        let retry = Sentence(retryIn: page.retrySeconds(now: state.now), of: failure.retryInSeconds)
        if needsUser {
            let isWaiting = page.isWaitingForQuota
            let effect = isWaiting ? "updates are paused" : "updates have stopped"
            let meaning = trouble.consequences.map { ["\(trouble.meaning), so \(effect).", $0] } ?? [trouble.meaning + "."]
            sentences = meaning.filter { !$0.isEmpty }.map { Sentence($0) }
            // Another call would not help, because the trip's name does not change while the program runs.
            let isNameWrong = failure.errorClass == .actionRequired(.checkTripName) && trouble.advice != nil
            let again = state.naming(.refresh) { "Then press \($0)." }
            let last = isWaiting ? retry : Sentence(isNameWrong ? "Then restart." : again)
            // Flags and the environment do not change, so another call would still have no token. An ended link stays ended.
            let isHopeless = failure.error.lacksToken || LinkEnd.isEnd(failure.error)
            let then = isHopeless || last.shown.isEmpty ? Sentence("") : Sentence(" ", last)
            let advice = Sentence("Do this: \(trouble.advice ?? "Ask the provider.")", then)
            sentences.append(advice)
            short = [Sentence(trouble.meaning + "."), advice]
            brief = trouble.brief.prefix(1).uppercased() + trouble.brief.dropFirst() + "."
        } else {
            key = state.options.footer == nil ? state.naming(.refresh) { "   \($0): try now" } : ""
            sentences = [Sentence("\(trouble.meaning). ", retry)]
            short = sentences
            if let oldness = trouble.oldness { sentences.append(Sentence(oldness)) }
            remark = trouble.advice.map { Sentence($0) }
        }
    }

    /// Creates a banner without a countdown.
    /// - Parameter count: number of sentences, from the first, that are kept if not all of them fit.
    init(needsUser: Bool, sentences: [String], count: Int) {
        self.needsUser = needsUser
        self.sentences = sentences.map { Sentence($0) }
        short = Array(self.sentences.prefix(count))
    }

    /// Returns the lines of the banner, at most `maximumLines`. They contain the whole text, or as much as fits. The instruction is the
    /// last part to be shortened. The number of lines stays the same while a countdown runs.
    func lines(columns: Int, maximumLines: Int) -> [String] {
        let room = max(1, columns - Self.indent)
        let whole = Self.set(sentences + [remark].compactMap { $0 }, cause, columns: room, key: key)
        if whole.count <= maximumLines { return whole }
        let full = Self.set(sentences, cause, columns: room, key: key)
        if full.count <= maximumLines { return full }
        let clear = Self.set(short, cause, columns: room, key: "")
        if clear.count <= maximumLines { return clear }
        let reduced = Self.set(short, columns: room, key: "")
        if reduced.count <= maximumLines { return reduced }
        let last = short.last ?? Sentence("")
        let rows = needsUser || short.count == 1 ? maximumLines : max(1, maximumLines - 1)
        let advice = last.lines(columns: room, maximumLines: min(rows, Self.longestSentence))
        // The diagnosis is left out before the instruction is shortened.
        if needsUser, advice.count == maximumLines { return advice }
        let meaning = short.first.map { $0.fits(room) || brief.isEmpty ? $0.shown : brief } ?? ""
        let first = short.count > 1 && maximumLines > 1 ? [fitted(meaning, columns: room)] : []
        return first + advice
    }

    /// Whether the lines of the banner say what failed. If there is not enough room, they contain only the instruction.
    func tellsFailure(columns: Int, maximumLines: Int) -> Bool {
        guard maximumLines > 0 else { return false }
        guard needsUser, let advice = short.last else { return true }
        let room = max(1, columns - Self.indent)
        return lines(columns: columns, maximumLines: maximumLines) != advice.lines(columns: room, maximumLines: Self.longestSentence)
    }

    /// Returns the number of lines that the whole instruction needs; 0 without an instruction.
    func adviceRows(columns: Int) -> Int {
        guard needsUser, let advice = short.last else { return 0 }
        return advice.lines(columns: max(1, columns - Self.indent), maximumLines: Self.longestSentence).count
    }

    /// Maximum number of lines for one sentence.
    private static let longestSentence = 4

    /// Joins the server's name and the cause of the failure.
    private static func cause(_ cause: String, at server: String) -> String? {
        guard !server.isEmpty else { return nil }
        let name = sanitised(server, maximumLength: 120)
        if cause.contains(name) { return cause }
        return cause.isEmpty ? name : "\(name): \(cause)"
    }

    /// Arranges the sentences in lines. The cause has a line of its own, below the line of the first sentence.
    private static func set(_ sentences: [Sentence], _ cause: String?, columns: Int, key: String) -> [String] {
        var lines = set(sentences, columns: columns, key: key)
        guard let cause, let first = sentences.first else { return lines }
        let head = set([first], columns: columns, key: "").count
        lines.insert(fitted(cause, columns: columns), at: min(head, lines.count))
        return lines
    }

    /// Arranges the sentences in lines. Sentences that fit together in a line share the line. A sentence that is too long for a line is
    /// shortened, or else wrapped. The key is added to the last line if it fits there.
    private static func set(_ sentences: [Sentence], columns: Int, key: String) -> [String] {
        var lines: [Sentence] = []
        for sentence in sentences {
            if let shared = lines.last?.followed(by: sentence, with: "  "), shared.fits(columns) {
                lines[lines.count - 1] = shared
            } else {
                lines.append(sentence)
            }
        }
        if let last = lines.last?.followed(by: Sentence(key)), last.fits(columns) { lines[lines.count - 1] = last }
        return lines.flatMap { $0.lines(columns: columns, maximumLines: longestSentence) }
    }

    /// Column at which the text starts. The sign is to the left of it.
    static let indent = 3

    fileprivate static func retry(_ seconds: Double) -> String {
        seconds >= 1 ? "\(tryingAgain) in \(TripWords.countdown(seconds))." : "\(tryingAgain) now."
    }

    fileprivate static let tryingAgain = "Trying again"
}
