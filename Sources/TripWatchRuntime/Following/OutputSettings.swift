package import JourneySharing
package import ProgramSurroundings
package import TripWatchWords

/// The style of the output, and its units.
package struct OutputSettings: Sendable {
    package enum Style: String, CaseIterable, Sendable {
        case screen, plain, json
    }

    /// The style of the output; nil to show the screen if possible, or else lines.
    package var style: Style?
    /// The number of times per second that the drawn position is printed; nil to never print it.
    package var framesPerSecond: Double?
    /// The units of distances; nil for the locale's.
    package var units: MeasurementSystem?

    package init(style: Style?, framesPerSecond: Double? = nil, units: MeasurementSystem? = nil) {
        self.style = style
        self.framesPerSecond = framesPerSecond
        self.units = units
    }

    /// Whether to show the screen if the terminal allows it.
    package func wantsScreen(in surroundings: Surroundings) -> Bool {
        if let style { return style == .screen }
        let streams = surroundings.streams
        return streams.isOutputTerminal && (streams.isInputTerminal || streams.hasKeyboard) && !surroundings.wantsSentences
    }

    /// Returns the style of the lines that are printed if there is no screen.
    func lineStyle(in surroundings: Surroundings) -> TripLinePrinter.Style {
        if style == .json { return .json }
        return surroundings.wantsSentences ? .sentences : .plain
    }

    /// Returns the object that repeats the state when the user presses Enter; nil if the lines are not sentences.
    @MainActor
    func stateRepeater(in surroundings: Surroundings) -> StateRepeater? {
        lineStyle(in: surroundings) == .sentences ? StateRepeater(surroundings.streams) : nil
    }

    package func plainOptions(tripCount: Int, in surroundings: Surroundings) -> PlainOutput.Options {
        PlainOutput.Options(
            secondsFromGMT: LocalZone.secondsFromGMT, measurementSystem: measurementSystem(in: surroundings), showsTrip: tripCount > 1)
    }

    package func measurementSystem(in surroundings: Surroundings) -> MeasurementSystem { units ?? surroundings.locale.measurementSystem }
}
