package import FleetEngine
import TerminalCanvas

/// The status-bar text for a trip that could not be read.
package struct StatusFailure: Sendable {
    private let words: FailureWords
    private let isRetryable: Bool
    private let isAnswer: Bool
    private let glyphs: GlyphTier

    package init(_ error: FleetEngineError, isASCII: Bool = false) {
        words = FailureWords(error, error.errorClass())
        isRetryable = error.errorClass() == .retryable
        isAnswer = FailureWords.isAnswer(error)
        glyphs = GlyphTier(isASCII ? .ascii : .braille)
    }

    /// The class for a bar's style: `offline` if retrying is enough, `stopped` if the user must act.
    private var className: String { isRetryable ? "offline" : "stopped" }
    /// The state as the user sees it.
    private var word: String { isRetryable && isAnswer ? "server error" : className }

    /// One object in waybar's protocol, with the advice as its tooltip.
    package var waybarLine: String {
        var line = JSONLine()
        line.add("text", .string("\(glyphs.warning) \(word)"))
        line.add("alt", .string(className))
        line.add("tooltip", .string(StatusReport.markup(words.sentence)))
        line.add("class", .string(className))
        line.add("percentage", nil)
        return line.finished
    }

    package var tmuxLine: String { "#[fg=yellow]\(glyphs.warning) #[bold]\(word)#[nobold]#[default]" }
}
