import ConsumerMap
import Geo
package import ProgramSurroundings
package import TerminalCanvas
import TerminalMap
import TripWatchScreen
import TripWatchSettings
import TripWatchWords
import VectorTiles

/// Settings of a printed frame.
package struct DumpSettings: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        /// Text without colours.
        case text
        /// Text with terminal colours.
        case ansi
        /// An SVG picture, with lines and areas.
        case svg
    }

    /// The size of the frame; nil for the terminal's size.
    package var size: Size?
    /// The format. Nil means text. The text has colours if the number of colours is set and is not `none`. If the number is not set, the
    /// text has colours if the output is a terminal and NO_COLOR is not set.
    package var format: Format?

    package init(size: Size?, format: Format?) { (self.size, self.format) = (size, format) }
}

/// Prints one frame on standard output.
@MainActor
package struct FrameDump {
    let size: Size
    let painter: Painter
    let depth: ColorDepth
    let themes: ThemePicker
    private let format: DumpSettings.Format
    private let isLight: Bool
    private let streams: StandardStreams
    /// The user's position; nil if it is not known.
    private let ownPosition: Coordinate?

    package init(_ settings: DumpSettings, look: ScreenSettings, in surroundings: Surroundings) {
        let isColored = surroundings.streams.isOutputTerminal && !surroundings.wantsNoColor
        let asked = look.colorDepth ?? (isColored ? .palette256 : ColorDepth.none)
        format = settings.format ?? (asked == .none ? .text : .ansi)
        switch format {
        case .text: depth = .none
        case .ansi: depth = look.colorDepth ?? .palette256
        case .svg: depth = .direct
        }
        size = settings.size ?? surroundings.streams.outputSize ?? Size(columns: 80, rows: 24)
        painter = look.painter ?? (surroundings.locale.isUTF8 ? .braille : .ascii)
        (streams, ownPosition) = (surroundings.streams, look.place)
        // A picture has its own background, which does not depend on the terminal.
        let hint = BackgroundTone.hint(environment: surroundings.environment) ?? (format == .svg ? .dark : nil)
        themes = look.themes(depth: depth, background: hint, in: surroundings)
        isLight = (themes.theme.background ?? hint) == .light
        themes.tellMessages()
    }

    /// Whether to print a picture instead of text.
    var isPicture: Bool { format == .svg }

    /// Prints only a map, with the user's position and a note in a corner.
    func print(_ base: BaseMap?, _ ground: GroundOverlay?, camera: Camera, note: String?) {
        let theme = themes.theme
        let scene = MapScene(
            base: base, ground: ground, overlays: AppView.overlays(ownPosition: ownPosition, theme: theme), style: theme.mapStyle,
            painter: painter, colorDepth: theme.depth, fillsAreas: theme.fillsMapAreas, note: note)
        if isPicture { return streams.print(picture(of: scene, camera: camera, title: "Map")) }
        var canvas = Canvas(size: size)
        _ = MapRenderer().draw(scene, camera: camera, into: &canvas, at: Rectangle(size))
        print(canvas)
    }

    /// Prints the whole screen as text, or only its map as a picture.
    func print(_ state: AppState) {
        guard isPicture else { return print(AppView().canvas(state, theme: themes.theme)) }
        let (scene, camera) = AppView.map(of: state, theme: themes.theme)
        streams.print(picture(of: scene, camera: camera, title: state.page?.names.title ?? "Map"))
    }

    private func print(_ canvas: Canvas) {
        streams.print(depth == .none ? Self.allRows(canvas) : canvas.ansi(colors: depth))
    }

    /// Returns the picture as text without the final line break, because printing adds one.
    private func picture(of scene: MapScene, camera: Camera, title: String) -> String {
        String(MapDrawing(scene, camera: camera, isLight: isLight, title: title).svg().dropLast())
    }

    /// Returns the text with one line for each row of the canvas, even if the last rows are blank.
    private static func allRows(_ canvas: Canvas) -> String {
        let rows = canvas.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return (rows + Array(repeating: "", count: max(0, canvas.size.rows - rows.count))).joined(separator: "\n")
    }
}
