import ProgramSurroundings
import TerminalCanvas
import TerminalScreen
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

extension DoctorRun {
    /// Returns the findings about the terminal's text and colours.
    func terminalFindings(in surroundings: Surroundings) -> [Finding] {
        let environment = surroundings.environment
        let isUTF8 = surroundings.locale.isUTF8
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map { (variable: $0, value: environment[$0] ?? "") }.first { !$0.value.isEmpty }
        let first = Finding.locale(locale, isUTF8: isUTF8)
        guard surroundings.streams.isOutputTerminal else { return [first, .notChecked("terminal", "the output is not a terminal")] }
        var survey = TerminalSurvey(colorDepth: look.colorDepth, isUTF8: isUTF8)
        let mayAsk =
            surroundings.streams.isInputTerminal && look.asksTerminal != .off && (look.asksTerminal == .on || !surroundings.isRemote)
        if mayAsk { survey.ask() }
        let terminal = Finding.terminal(survey.type, entry: survey.entry, why: survey.fault.map { "\($0)" })
        guard survey.entry != nil else { return [first, terminal] }
        let width = isUTF8 ? [Finding.ambiguousWidth(survey.ambiguousColumns)] : []
        return [
            first, terminal, .colours(survey.colorDepth, hasNoColor: surroundings.wantsNoColor, entry: survey.entry),
            .painters(standard: look.painter ?? survey.painterHint, isUTF8: isUTF8),
        ] + width + [
            .background(survey.background, hint: BackgroundTone.hint(environment: environment)),
            .clipboard(isAllowed: look.allowsClipboard, isInTmux: environment["TMUX"].map { !$0.isEmpty } ?? false),
        ]
    }
}
