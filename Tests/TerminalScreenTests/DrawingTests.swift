import Geo
import TerminalCanvas
import TerminalHarness
import TerminalScreen
import Testing

/// A process can have only one screen, so these tests run one after another.
@Suite("Drawing", .serialized)
struct DrawingTests {
    /// Returns the canvas as a terminal with this number of colours shows it: with the nearest colours, and without combining marks in the
    /// last cell.
    private func reduced(_ canvas: Canvas, to depth: ColorDepth) -> Canvas {
        var reduced = canvas
        for row in 0..<canvas.size.rows {
            for column in 0..<canvas.size.columns where canvas[column, row].width > 0 {
                reduced[column, row].style = canvas[column, row].style.reduced(to: depth)
            }
        }
        for column in [canvas.size.columns - 2, canvas.size.columns - 1] {
            let row = canvas.size.rows - 1
            let cell = reduced[column, row]
            if column + Int(cell.width) == canvas.size.columns { reduced[column, row].glyph = Glyph(cell.glyph.base) }
        }
        return reduced
    }

    @Test("Each picture appears unchanged, whatever was drawn before it", arguments: [1, 2, 3] as [UInt64])
    func randomPictures(seed: UInt64) async throws {
        var maker = CanvasMaker(generator: SeededRandom(seed: seed))
        let size = Size(columns: .random(in: 1...70, using: &maker.generator), rows: .random(in: 1...20, using: &maker.generator))
        let fixture = try ScreenFixture(size)
        var canvas = Canvas(size: size)
        for _ in 0..<50 {
            maker.change(&canvas)
            try fixture.show(canvas, as: reduced(canvas, to: .palette256))
        }
        await fixture.close()
    }

    @Test("Fewer colours are replaced by the nearest ones", arguments: [ColorDepth.none, .ansi8, .ansi16])
    func fewerColors(depth: ColorDepth) async throws {
        var maker = CanvasMaker(generator: SeededRandom(seed: 9))
        let fixture = try ScreenFixture { $0.colorDepth = depth }
        #expect(fixture.screen.colorDepth == depth)
        var canvas = Canvas(size: fixture.screen.size)
        for _ in 0..<20 {
            maker.change(&canvas)
            try fixture.show(canvas, as: reduced(canvas, to: depth))
        }
        await fixture.close()
    }

    @Test(
        "Direct colours arrive unchanged if the terminal type or its relative has them",
        arguments: ["xterm-256color", "xterm-direct"], [true].filter { _ in PseudoTerminal.isInstalled("xterm-direct") })
    func directColors(type: String, isInstalled: Bool) async throws {
        let fixture = try ScreenFixture(type: type) { $0.colorDepth = .direct }
        #expect(fixture.screen.terminalType == "xterm-direct")
        #expect(fixture.screen.colorDepth == .direct)
        var canvas = Canvas(size: fixture.screen.size)
        var generator = SeededRandom(seed: 7)
        // By the end, the test has used more pairs of colours than ncurses can number.
        for _ in 0..<40 {
            for row in 0..<canvas.size.rows {
                for column in 0..<canvas.size.columns {
                    let color = Color.rgb(.random(in: 8...255, using: &generator), .random(in: 0...255, using: &generator), 0)
                    canvas[column, row] = Cell("x", style: Style(foreground: color, background: .palette(UInt8(column % 8))))
                }
            }
            try fixture.show(canvas)
        }
        await fixture.close()
    }

    @Test("A terminal with 64 colour pairs shows more combinations than that one after the other")
    func fewPairs() async throws {
        let fixture = try ScreenFixture(type: "xterm") { $0.colorDepth = .ansi8 }
        #expect(fixture.screen.terminalType == "xterm")
        var canvas = Canvas(size: fixture.screen.size)
        for background in 0..<8 {
            for foreground in 0..<8 {
                let style = Style(foreground: .palette(UInt8(foreground)), background: .palette(UInt8(background)))
                canvas.fill(Rectangle(column: 0, row: foreground, columns: 80, rows: 1), with: Cell("x", style: style))
            }
            try fixture.show(canvas)
        }
        await fixture.close()
    }

    @Test("More combinations on one screen than the terminal has keep their characters and foregrounds")
    func tooManyPairs() async throws {
        let fixture = try ScreenFixture(type: "xterm") { $0.colorDepth = .ansi8 }
        var canvas = Canvas(size: fixture.screen.size)
        for index in 0..<81 {
            let color = { (value: Int) -> Color in value == 8 ? .default : .palette(UInt8(value)) }
            canvas[index % 80, index / 80] = Cell("x", style: Style(foreground: color(index / 9), background: color(index % 9)))
        }
        fixture.screen.present(canvas)
        _ = try fixture.bytesSoFar()
        for index in 0..<81 {
            let seen = fixture.terminal.virtual.cells[index]
            #expect(seen.glyph == canvas[index % 80, index / 80].glyph)
            #expect(seen.style.foreground == canvas[index % 80, index / 80].style.foreground)
        }
        await fixture.close()
    }

    @Test("A terminal type without direct colours shows the nearest of 256")
    func directColorsWithoutDescription() async throws {
        let fixture = try ScreenFixture(type: "screen-256color") { $0.colorDepth = .direct }
        #expect(fixture.screen.colorDepth == .palette256)
        let canvas = Canvas(size: fixture.screen.size, fill: Cell("x", style: Style(foreground: .rgb(250, 1, 3))))
        try fixture.show(canvas, as: reduced(canvas, to: .palette256))
        await fixture.close()
    }

    @Test("Panning a map to the east costs a fraction of the picture")
    func pan() async throws {
        var maker = CanvasMaker(generator: SeededRandom(seed: 12))
        maker.colors = [.default, .palette(240), .palette(196)]
        var world: [[Cell]] = []
        for _ in 0..<24 { world.append((0..<160).map { _ in Cell(maker.cell().width == 1 ? "⣤" : "⠉", style: maker.style()) }) }
        let fixture = try ScreenFixture()
        func view(_ left: Int) -> Canvas {
            var canvas = Canvas(size: fixture.screen.size)
            for row in 0..<24 { for column in 0..<80 { canvas[column, row] = world[row][left + column] } }
            return canvas
        }
        try fixture.show(view(0))
        let whole = fixture.terminal.output.count
        let panned = try fixture.bytes { fixture.screen.present(view(20)) }
        try fixture.show(view(20))
        #expect(panned < whole / 2, "\(panned) of \(whole)")
        await fixture.close()
    }

    @Test("A canvas of another size is cut or padded")
    func otherSizes() async throws {
        let fixture = try ScreenFixture(Size(columns: 20, rows: 6))
        var maker = CanvasMaker(generator: SeededRandom(seed: 4))
        for (columns, rows) in [(20, 6), (40, 12), (3, 2), (0, 0), (21, 6), (19, 7)] {
            var canvas = Canvas(size: Size(columns: columns, rows: rows), fill: maker.cell())
            if columns > 19 { canvas.write("東", column: 19, row: 1, style: .plain) }
            var wanted = Canvas(size: Size(columns: 20, rows: 6))
            for row in 0..<min(6, rows) {
                for column in 0..<min(20, columns) where canvas[column, row].width > 0 { wanted[column, row] = canvas[column, row] }
            }
            try fixture.show(canvas, as: reduced(wanted, to: .palette256))
        }
        await fixture.close()
    }

    @Test("Every size from one cell on can be drawn and resized to")
    func sizes() async throws {
        let fixture = try ScreenFixture(Size(columns: 1, rows: 1))
        var maker = CanvasMaker(generator: SeededRandom(seed: 5))
        var events = fixture.screen.events.makeAsyncIterator()
        for (columns, rows) in [(1, 1), (2, 1), (1, 2), (5, 3), (200, 60), (3, 60), (132, 1), (80, 24), (1, 1)] {
            let size = Size(columns: columns, rows: rows)
            if fixture.screen.size != size {
                fixture.terminal.resize(columns: columns, rows: rows)
                // The process is not in the foreground of the terminal, so the system does not send it this signal.
                raiseWindowChange()
                #expect(await events.next() == .resize(size))
            }
            #expect(fixture.screen.size == size)
            var canvas = Canvas(size: size)
            for _ in 0..<4 {
                maker.change(&canvas)
                try fixture.show(canvas, as: reduced(canvas, to: .palette256))
            }
        }
        await fixture.close()
    }

    @Test("An unchanged picture costs nothing, a small change costs little, and large frames are shown at once")
    func cost() async throws {
        let fixture = try ScreenFixture()
        var maker = CanvasMaker(generator: SeededRandom(seed: 6))
        var canvas = Canvas(size: fixture.screen.size)
        for _ in 0..<30 { maker.change(&canvas) }
        canvas.fill(Rectangle(column: 10, row: 10, columns: 6, rows: 1), with: .blank)
        canvas[10, 10] = Cell("▸", style: Style(foreground: .palette(46)))
        try fixture.show(canvas, as: reduced(canvas, to: .palette256))
        let same = canvas
        #expect(try fixture.bytes { for _ in 0..<5 { fixture.screen.present(same) } } == 0)
        canvas[10, 10] = .blank
        canvas[11, 10] = Cell("▸", style: Style(foreground: .palette(46)))
        let moved = canvas
        let bytes = try fixture.bytes { fixture.screen.present(moved) }
        #expect(bytes > 0 && bytes < 50, "\(bytes)")
        let frames = fixture.screen.output.frames
        fixture.screen.present(Canvas(size: canvas.size, fill: Cell("東", style: Style(background: .palette(17)))))
        _ = try fixture.bytesSoFar()
        #expect(fixture.screen.output.frames == frames + 1)
        #expect(fixture.terminal.count("\u{1b}[?2026h") == fixture.terminal.count("\u{1b}[?2026l"))
        #expect(fixture.terminal.count("\u{1b}[?2026h") > 0)
        await fixture.close()
    }

    @Test("Of many canvases at once, the last is shown, whichever thread presents them")
    func latestWins() async throws {
        let fixture = try ScreenFixture()
        let screen = fixture.screen
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0..<50 {
                        screen.present(
                            Canvas(size: screen.size, fill: Cell("a", style: Style(foreground: .palette(UInt8(task * 50 + round))))))
                    }
                }
            }
        }
        try fixture.show(Canvas(size: screen.size, fill: Cell("z")))
        await fixture.close()
    }
}
