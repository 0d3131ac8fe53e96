import Geo
import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

/// Compares whole frames of the small town, as text, with files. Look at the files when they change.
@Suite struct FrameTests {
    @Test("a town on a middle-sized screen without colours")
    func plain() throws {
        let camera = SmallTown.camera(zoom: 13, size: Size(columns: 64, rows: 24))
        try Frames.expect(SmallTown.draw(SmallTown.scene(colors: .none), camera).canvas.text(), matches: "town-plain-64x24")
    }

    @Test("the same with colours: areas are backgrounds")
    func colors() throws {
        let camera = SmallTown.camera(zoom: 13, size: Size(columns: 64, rows: 24))
        try Frames.expect(SmallTown.draw(SmallTown.scene(), camera).canvas.ansi(colors: .palette256), matches: "town-dark-64x24")
        let light = SmallTown.draw(SmallTown.scene(style: .light), camera).canvas
        try Frames.expect(light.ansi(colors: .palette256), matches: "town-light-64x24")
    }

    @Test("the ASCII tier")
    func ascii() throws {
        let camera = SmallTown.camera(zoom: 13, size: Size(columns: 64, rows: 24))
        let canvas = SmallTown.draw(SmallTown.scene(painter: .ascii, colors: .none), camera).canvas
        try Frames.expect(canvas.text(), matches: "town-ascii-64x24")
    }

    @Test("streets of their true width, close up")
    func close() throws {
        let camera = SmallTown.camera(zoom: 16, size: Size(columns: 60, rows: 18), x: 2200, y: 1580)
        try Frames.expect(SmallTown.draw(SmallTown.scene(colors: .none), camera).canvas.text(), matches: "town-close-60x18")
    }

    @Test("a corner of tmux, and no base map at all")
    func small() throws {
        let camera = SmallTown.camera(zoom: 12.5, size: Size(columns: 40, rows: 9))
        try Frames.expect(SmallTown.draw(SmallTown.scene(colors: .none), camera).canvas.text(), matches: "town-small-40x9")
        var scene = SmallTown.scene(colors: .none)
        scene.base = nil
        try Frames.expect(SmallTown.draw(scene, camera).canvas.text(), matches: "schematic-40x9")
    }

    @Test("sextants and half blocks")
    func painters() throws {
        let camera = SmallTown.camera(zoom: 13, size: Size(columns: 50, rows: 14))
        for painter in [Painter.sextant, .halfBlock] {
            let canvas = SmallTown.draw(SmallTown.scene(painter: painter, colors: .none), camera).canvas
            try Frames.expect(canvas.text(), matches: "town-\(painter.rawValue)-50x14")
        }
    }
}
