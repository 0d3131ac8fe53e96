import ConsumerMap
import Geo
package import ProgramSurroundings
package import TerminalCanvas
import TerminalMap
import TripWatchScreen
import TripWatchSettings
import TripWatchWords
import VectorTiles

/// How one frame is printed.
package struct DumpSettings: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        /// Characters, never a colour.
        case text
        /// Characters with the colours of a terminal.
        case ansi
        /// A picture of lines and areas.
        case svg
    }

    /// Nil takes the terminal's.
    package var size: Size?
    /// Nil for colours on a terminal, or where they were asked for, and else for text.
    package var format: Format?

    package init(size: Size?, format: Format?) { (self.size, self.format) = (size, format) }
}

/// One frame on standard output.
@MainActor
package struct FrameDump {
    let size: Size
    let painter: Painter
    let depth: ColorDepth
    let themes: ThemePicker
    private let format: DumpSettings.Format
    private let isLight: Bool
    private let streams: StandardStreams
    /// The user's own place, as far as it is known.
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
        // A picture has a background of its own.
        let hint = BackgroundTone.hint(environment: surroundings.environment) ?? (format == .svg ? .dark : nil)
        themes = look.themes(depth: depth, background: hint, in: surroundings)
        isLight = (themes.theme.background ?? hint) == .light
        themes.tellMessages()
    }

    /// Lines and areas in place of characters.
    var isPicture: Bool { format == .svg }

    /// Nothing but a map with the user's own place, and words about it in its corner.
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

    /// What the screen shows; as a picture its map.
    func print(_ state: AppState) {
        guard isPicture else { return print(AppView().canvas(state, theme: themes.theme)) }
        let (scene, camera) = AppView.map(of: state, theme: themes.theme)
        streams.print(picture(of: scene, camera: camera, title: state.page?.names.title ?? "Map"))
    }

    private func print(_ canvas: Canvas) {
        streams.print(depth == .none ? Self.allRows(canvas) : canvas.ansi(colors: depth))
    }

    /// Without the line feed at its end, which printing adds.
    private func picture(of scene: MapScene, camera: Camera, title: String) -> String {
        String(MapDrawing(scene, camera: camera, isLight: isLight, title: title).svg().dropLast())
    }

    /// Exactly as many lines as rows, also where the last ones are blank.
    private static func allRows(_ canvas: Canvas) -> String {
        let rows = canvas.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return (rows + Array(repeating: "", count: max(0, canvas.size.rows - rows.count))).joined(separator: "\n")
    }
}
