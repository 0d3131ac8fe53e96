import Geo
import TerminalCanvas
import Testing

@testable import TerminalScreen

@Suite("Input")
struct InputDecoderTests {
    private func decoder(mouse: Bool = false, keys: KeyTable = KeyTable()) -> InputDecoder {
        InputDecoder(keys: keys, mouse: mouse, size: Size(columns: 80, rows: 24))
    }

    private func events(_ text: String, mouse: Bool = false, expires: Bool = false) -> [ScreenEvent] {
        var decoder = decoder(mouse: mouse)
        var events: [ScreenEvent] = []
        decoder.decode(Array(text.utf8), into: &events)
        if expires { decoder.expire(into: &events) }
        return events
    }

    private func keys(_ text: String, expires: Bool = false) -> [Key] {
        events(text, expires: expires).compactMap { if case .key(let key) = $0 { key } else { nil } }
    }

    @Test("Characters of one to four bytes are keys, and invalid bytes are ignored")
    func characters() {
        #expect(keys("qÜ±東🚕") == [.character("q"), .character("Ü"), .character("±"), .character("東"), .character("🚕")])
        var decoder = decoder()
        var events: [ScreenEvent] = []
        // An overlong slash, a surrogate, a value beyond Unicode, a lone continuation byte, an incomplete character, a control character.
        for bytes: [UInt8] in [[0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80], [0xe6, 0x9d], [0xc2, 0x9b]] {
            decoder.decode(bytes, into: &events)
        }
        decoder.decode([0x71], into: &events)
        #expect(events == [.key(.character("q"))])
    }

    @Test("Control keys")
    func controls() {
        #expect(keys("\u{3}\u{1a}\u{0}\u{1c}") == [.control("c"), .control("z"), .control(" "), .control("\\")])
        #expect(keys("\t\r\n\u{7f}\u{8}") == [Key(.tab), Key(.enter), Key(.enter), Key(.backspace), Key(.backspace)])
    }

    @Test(
        "Named keys in the forms of xterm, rxvt and the Linux console",
        arguments: [
            ("[A", Key(.up)), ("OB", Key(.down)), ("[C", Key(.right)), ("OD", Key(.left)), ("[H", Key(.home)), ("OF", Key(.end)),
            ("[1~", Key(.home)), ("[2~", Key(.insert)), ("[3~", Key(.delete)), ("[4~", Key(.end)), ("[5~", Key(.pageUp)),
            ("[6~", Key(.pageDown)), ("[7~", Key(.home)), ("[8~", Key(.end)), ("OP", Key(.function(1))), ("[15~", Key(.function(5))),
            ("[24~", Key(.function(12))), ("[[A", Key(.function(1))), ("[[E", Key(.function(5))), ("[Z", Key(.backtab)),
            ("[1;5C", Key(.right, modifiers: .control)), ("[1;2A", Key(.up, modifiers: .shift)), ("[3;3~", Key(.delete, modifiers: .alt)),
            ("[1;8P", Key(.function(1), modifiers: [.shift, .alt, .control])), ("[5^", Key(.pageUp, modifiers: .control)),
            ("[5$", Key(.pageUp, modifiers: .shift)), ("[a", Key(.up, modifiers: .shift)), ("Oa", Key(.up, modifiers: .control)),
            ("Op", .character("0")), ("Ok", .character("+")), ("OM", Key(.enter)),
        ])
    func namedKeys(sequence: String, key: Key) {
        #expect(keys("\u{1b}" + sequence + "q") == [key, .character("q")])
        // The sequence arrives one byte at a time.
        var decoder = decoder()
        var events: [ScreenEvent] = []
        for byte in ("\u{1b}" + sequence).utf8 { decoder.decode([byte], into: &events) }
        #expect(events == [.key(key)])
        #expect(decoder.patience == nil)
    }

    @Test(
        "Keys sent as numbers, in the kitty protocol and xterm's modifyOtherKeys, are the same keys as otherwise",
        arguments: [
            ("[113u", .character("q")), ("[113;1:1u", .character("q")), ("[113;1:2u", .character("q")), ("[99;5u", .control("c")),
            ("[27;5;99~", .control("c")), ("[27;6;67~", .control("c")), ("[27;2;63~", .character("?")), ("[97;2u", .character("A")),
            ("[97;65u", .character("A")), ("[97;66u", .character("a")), ("[97:65;2u", .character("A")), ("[47:63;2u", .character("?")),
            ("[47;2;63u", .character("?")), ("[228;2u", .character("Ä")), ("[128661u", .character("🚕")), ("[120;3u", .alt("x")),
            ("[120;33u", .alt("x")), ("[27;9;120~", .alt("x")), ("[27u", Key(.escape)), ("[13u", Key(.enter)), ("[13;2u", Key(.enter)),
            ("[9u", Key(.tab)), ("[9;2u", Key(.backtab)), ("[127;3u", Key(.backspace, modifiers: .alt)), ("[32;5u", .control(" ")),
            ("[105;5u", Key(.tab)), ("[109;5u", Key(.enter)), ("[91;5u", Key(.escape)), ("[57399u", .character("0")),
            ("[57413u", .character("+")), ("[57414u", Key(.enter)), ("[57419;5u", Key(.up, modifiers: .control)), ("[1;1:1A", Key(.up)),
            ("[1;5:2C", Key(.right, modifiers: .control)), ("[3;1:1~", Key(.delete)), ("[13~", Key(.function(3))),
            ("[113;129u", .character("q")),
        ] as [(String, Key)])
    func numberedKeys(sequence: String, key: Key) {
        #expect(keys("\u{1b}" + sequence + "z") == [key, .character("z")])
    }

    @Test(
        "A released key, a modifier by itself and a key for the window manager are ignored",
        arguments: [
            "[113;1:3u", "[99;5:3u", "[1;1:3A", "[3;1:3~", "[57441;2u", "[57358u", "[113;9u", "[u", "[0u", "[1114112u", "[55296u",
            "[27;5;3~",
            "[57344u", "[?1u",
        ])
    func noKeys(sequence: String) { #expect(keys("\u{1b}" + sequence + "z") == [.character("z")]) }

    @Test("Escape alone is Escape after a moment; with a character at once, it is Alt")
    func escape() {
        var decoder = decoder()
        var events: [ScreenEvent] = []
        decoder.decode([0x1b], into: &events)
        #expect(events.isEmpty)
        #expect(decoder.patience == .milliseconds(25))
        decoder.expire(into: &events)
        #expect(events == [.key(Key(.escape))])
        #expect(keys("\u{1b}x\u{1b}é") == [.alt("x"), .alt("é")])
        #expect(keys("\u{1b}\u{1b}[A") == [Key(.escape), Key(.up)])
        #expect(keys("\u{1b}\u{7f}") == [Key(.backspace, modifiers: .alt)])
        #expect(keys("\u{1b}[", expires: true) == [.alt("[")])
        #expect(keys("\u{1b}O", expires: true) == [.alt("O")])
        #expect(keys("\u{1b}]", expires: true) == [.alt("]")])
        #expect(keys("\u{1b}[1;", expires: true).isEmpty)
    }

    @Test(
        "Sequences without a meaning are dropped completely",
        arguments: [
            "\u{1b}[?64;1;2c", "\u{1b}]11;rgb:ffff/ffff/ffff\u{7}", "\u{1b}]11;rgb:0/0/0\u{1b}\\", "\u{1b}P>|xterm(1)\u{1b}\\",
            "\u{1b}[24;80R",
            "\u{1b}[?2026;2$y", "\u{1b}[99~", "\u{1b}[<0;1M", "\u{1b}[201~", "\u{1b}[" + String(repeating: "1;", count: 500) + "A",
            "\u{1b}_G\u{1b}\\",
            "\u{1b}[<0;3;4M", "\u{1b}[M", "\u{1b}[8;24;80t",
        ])
    func swallowed(sequence: String) {
        #expect(events(sequence + "q") == [.key(.character("q"))])
    }

    @Test("A sequence cut off by another one or by a control character does not affect it")
    func cutOff() {
        #expect(keys("\u{1b}[1;\u{1b}[A") == [Key(.up)])
        #expect(keys("\u{1b}[1;\u{3}") == [.control("c")])
        #expect(keys("\u{1b}]0;title\u{1b}[B") == [Key(.down)])
        #expect(keys("\u{1b}O\u{3}q") == [.control("c"), .character("q")])
    }

    @Test("Focus")
    func focus() {
        #expect(events("\u{1b}[I\u{1b}[O") == [.focus(true), .focus(false)])
    }

    @Test("Pasted text is one event, whatever it contains, with line feeds")
    func paste() {
        #expect(events("\u{1b}[200~q\r\nx\ry\u{1b}[A\u{3}\u{1b}[201~q") == [.paste("q\nx\ny\u{1b}[A\u{3}"), .key(.character("q"))])
        #expect(events("\u{1b}[200~\u{1b}[201~") == [.paste("")])
    }

    @Test("A long paste is cut, and its end is still found")
    func longPaste() {
        let text = String(repeating: "0123456789", count: 20_000)
        #expect(events("\u{1b}[200~" + text + "\u{1b}[201~q") == [.paste(String(text.prefix(65_536))), .key(.character("q"))])
    }

    @Test("A paste without an end ends when the wait is over")
    func unfinishedPaste() {
        #expect(events("\u{1b}[200~abc", expires: true) == [.paste("abc")])
    }

    @Test("Mouse reports, and positions outside the screen")
    func mouse() {
        func mouse(_ action: MouseEvent.Action, _ column: Int, _ row: Int, _ modifiers: Key.Modifiers = []) -> ScreenEvent {
            .mouse(MouseEvent(action, at: Position(column: column, row: row), modifiers: modifiers))
        }
        let report = "\u{1b}[<0;1;1M\u{1b}[<0;1;1m\u{1b}[<34;80;24M\u{1b}[<64;5;6M\u{1b}[<65;5;6M\u{1b}[<20;2;3M"
        #expect(
            events(report, mouse: true) == [
                mouse(.press(.left), 0, 0), mouse(.release(.left), 0, 0), mouse(.drag(.right), 79, 23), mouse(.scroll(.up), 4, 5),
                mouse(.scroll(.down), 4, 5), mouse(.press(.left), 1, 2, [.shift, .control]),
            ])
        let wild = "\u{1b}[<0;0;99999999999999999999M\u{1b}[<1;500;500M\u{1b}[<35;1;1M\u{1b}[<128;1;1M"
        #expect(events(wild, mouse: true) == [mouse(.press(.left), 0, 23), mouse(.press(.middle), 79, 23)])
    }

    @Test("Mouse reports in the old form")
    func oldMouse() {
        var decoder = decoder(mouse: true)
        var found: [ScreenEvent] = []
        decoder.decode([0x1b, 0x5b, 0x4d, 32, 33, 34, 0x1b, 0x5b, 0x4d, 35, 255, 0, 0x71], into: &found)
        #expect(
            found == [
                .mouse(MouseEvent(.press(.left), at: Position(column: 0, row: 1))),
                .mouse(MouseEvent(.release(nil), at: Position(column: 79, row: 0))), .key(.character("q")),
            ])
    }

    @Test("The terminal's own description comes first")
    func keyTable() {
        let table = KeyTable { name in
            switch name {
            case "kf1": Array("\u{1b}[M".utf8)
            case "khome": Array("\u{1b}OA".utf8)
            case "kent": [0x71]
            case "kcuu1": Array("\u{1b}A".utf8)
            default: []
            }
        }
        var decoder = decoder(keys: table)
        var found: [ScreenEvent] = []
        decoder.decode(Array("\u{1b}[M\u{1b}OAq\u{1b}A".utf8), into: &found)
        #expect(found == [.key(Key(.function(1))), .key(Key(.home)), .key(.character("q")), .key(Key(.up))])
    }

    @Test("Any bytes in any pieces do no harm, and a key after a pause is always a key", arguments: 1...20 as ClosedRange<UInt64>)
    func anything(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        let favourites: [UInt8] = [0x1b, 0x5b, 0x4f, 0x3c, 0x3f, 0x3b, 0x31, 0x32, 0x30, 0x7e, 0x4d, 0x5d, 0x50, 0x24, 0xe6, 0x9d, 0xb1]
        for _ in 0..<200 {
            var decoder = decoder(mouse: seed % 2 == 0)
            var found: [ScreenEvent] = []
            for _ in 0..<Int.random(in: 0..<40, using: &generator) {
                let isFavourite = Bool.random(using: &generator)
                let byte = isFavourite ? favourites.randomElement(using: &generator) : UInt8.random(in: 0...255, using: &generator)
                if let byte { decoder.decode([byte], into: &found) }
                #expect(decoder.pending.count <= InputDecoder.longestSequence + 1)
            }
            if decoder.patience != nil { decoder.expire(into: &found) }
            #expect(decoder.patience == nil)
            found = []
            decoder.decode([0x71], into: &found)
            #expect(found == [.key(.character("q"))])
        }
    }
}
