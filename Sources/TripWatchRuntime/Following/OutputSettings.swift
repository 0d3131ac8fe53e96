package import JourneySharing
package import ProgramSurroundings
import TripWatchWords

/// How things are told.
package struct OutputSettings: Sendable {
    package enum Style: String, CaseIterable, Sendable {
        case screen, plain, json
    }

    /// Nil takes the screen on a terminal, else plain lines.
    package var style: Style?
    /// How many times a second it is told where the car would be drawn; nil for never.
    package var framesPerSecond: Double?
    /// Nil takes the locale's.
    package var units: MeasurementSystem?

    package init(style: Style?, framesPerSecond: Double? = nil, units: MeasurementSystem? = nil) {
        self.style = style
        self.framesPerSecond = framesPerSecond
        self.units = units
    }

    /// Whether the screen is to be tried.
    package func wantsScreen(in surroundings: Surroundings) -> Bool {
        if let style { return style == .screen }
        let streams = surroundings.streams
        return streams.isOutputTerminal && (streams.isInputTerminal || streams.hasKeyboard) && !surroundings.wantsSentences
    }

    /// The lines that take the screen's place.
    func lineStyle(in surroundings: Surroundings) -> TripLinePrinter.Style {
        if style == .json { return .json }
        return surroundings.wantsSentences ? .sentences : .plain
    }

    func plainOptions(tripCount: Int, in surroundings: Surroundings) -> PlainOutput.Options {
        PlainOutput.Options(
            secondsFromGMT: LocalZone.secondsFromGMT, measurementSystem: measurementSystem(in: surroundings), showsTrip: tripCount > 1)
    }

    package func measurementSystem(in surroundings: Surroundings) -> MeasurementSystem { units ?? surroundings.locale.measurementSystem }
}
