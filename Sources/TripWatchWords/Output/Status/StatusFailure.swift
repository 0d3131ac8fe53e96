package import FleetEngine
import TerminalCanvas

/// A status bar's text for a trip that could not be asked for.
package struct StatusFailure: Sendable {
    private let words: FailureWords
    private let isRetryable: Bool
    private let glyphs: GlyphTier

    package init(_ error: FleetEngineError, isASCII: Bool = false) {
        words = FailureWords(error, error.errorClass())
        isRetryable = error.errorClass() == .retryable
        glyphs = GlyphTier(isASCII ? .ascii : .braille)
    }

    /// `offline` where trying again is enough, `stopped` where the user has to do something.
    private var word: String { isRetryable ? "offline" : "stopped" }

    /// In waybar's protocol; the tooltip says what to do.
    package var waybarLine: String {
        var line = JSONLine()
        line.add("text", .string("\(glyphs.warning) \(word)"))
        line.add("alt", .string(word))
        line.add("tooltip", .string(StatusReport.markup(words.sentence)))
        line.add("class", .string(word))
        line.add("percentage", nil)
        return line.finished
    }

    package var tmuxLine: String { "#[fg=yellow]\(glyphs.warning) #[bold]\(word)#[nobold]#[default]" }
}
