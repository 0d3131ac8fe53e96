import TerminalCanvas
import TerminalHarness
import TerminalScreen
import Testing

extension DrawingTests {
    /// Tests of input on a pseudo-terminal. They run one after another, because a process can have only one screen.
    @Suite("Events")
    struct EventTests {
        @Test("Typed keys arrive in order, Escape too")
        func keys() async throws {
            let fixture = try ScreenFixture()
            var events = fixture.screen.events.makeAsyncIterator()
            fixture.terminal.send("q\u{1b}OAé\u{1b}[I\u{1b}[200~a b\u{1b}[201~")
            for wanted: ScreenEvent in [.key(.character("q")), .key(Key(.up)), .key(.character("é")), .focus(true), .paste("a b")] {
                #expect(await events.next() == wanted)
            }
            fixture.terminal.send("\u{1b}")
            #expect(await events.next() == .key(Key(.escape)))
            fixture.terminal.send("\u{3}")
            #expect(await events.next() == .key(.control("c")))
            await fixture.close()
            #expect(await events.next() == nil)
        }

        @Test("Mouse events arrive only when requested, within the current size of the screen")
        func mouse() async throws {
            let fixture = try ScreenFixture(Size(columns: 10, rows: 5)) { $0.mouse = true }
            var events = fixture.screen.events.makeAsyncIterator()
            fixture.terminal.send("\u{1b}[<0;10;5M\u{1b}[<0;99;99m")
            #expect(await events.next() == .mouse(MouseEvent(.press(.left), at: Position(column: 9, row: 4))))
            #expect(await events.next() == .mouse(MouseEvent(.release(.left), at: Position(column: 9, row: 4))))
            await fixture.close()
        }

        @Test("Bell, notice and clipboard are sent, texts without their control characters")
        func extras() async throws {
            let fixture = try ScreenFixture {
                $0.notices = .osc777
                $0.allowsClipboard = true
            }
            fixture.screen.notify("here;\u{1b}]0;x\u{7}")
            #expect(fixture.screen.copyToClipboard("6 min"))
            #expect(!fixture.screen.copyToClipboard(String(repeating: "x", count: 80_000)))
            _ = try fixture.bytesSoFar()
            let wrapped = fixture.terminal.outputText.replacing("\u{1b}\u{1b}", with: "\u{1b}")
            #expect(wrapped.contains("\u{1b}]777;notify;tripwatch;here,]0,x\u{7}"), "\(fixture.terminal.visibleOutput)")
            #expect(fixture.terminal.outputText.contains("\u{1b}]52;c;NiBtaW4=\u{7}"))
            await fixture.close()
        }

        @Test("A console that would print the clipboard's sequence gets none", arguments: ["linux", "vt100"])
        func consoleClipboard(type: String) async throws {
            let fixture = try ScreenFixture(type: type) {
                $0.colorDepth = nil
                $0.allowsClipboard = true
            }
            #expect(!fixture.screen.copyToClipboard("6 min"))
            _ = await fixture.screen.close()
            fixture.terminal.drain()
            #expect(!fixture.terminal.outputText.contains("]52"))
        }

        @Test("A second screen is refused; a third one after the first is closed is not")
        func onlyOne() async throws {
            let terminal = try PseudoTerminal()
            let settings = terminal.settings
            let fixture = try ScreenFixture(on: terminal)
            #expect(throws: TerminalScreenError.alreadyOpen) { try ScreenFixture(on: terminal) }
            fixture.screen.present(Canvas(size: fixture.screen.size, fill: Cell("a")))
            await fixture.close()
            #expect(terminal.settings == settings)
            fixture.screen.present(Canvas(size: fixture.screen.size, fill: Cell("b")))
            fixture.screen.ring()
            fixture.screen.suspend()
            let third = try ScreenFixture()
            try third.show(Canvas(size: third.screen.size, fill: Cell("c")))
            await third.close()
        }

        @Test("Every caller that closes the screen gets an answer")
        func closing() async throws {
            let fixture = try ScreenFixture()
            let screen = fixture.screen
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { #expect(await screen.close().isEmpty) } }
            }
        }
    }
}
