import TerminalCanvas
import Testing

@Suite("Colours")
struct ColorTests {
    @Test("A colour keeps the form in which it was created")
    func kinds() {
        #expect(Color.default.kind == .default)
        #expect(Color.palette(0) != .default)
        for index in UInt8.min...UInt8.max { #expect(Color.palette(index).kind == .palette(index)) }
        #expect(Color.rgb(1, 2, 254).kind == .rgb(1, 2, 254))
        #expect(Color.rgb(0, 0, 0) != .palette(0))
    }

    @Test("The colours of the cube and the greys map to themselves among 256")
    func cube() {
        for index in UInt8(16)...255 {
            guard let (red, green, blue) = Color.palette(index).components else { continue }
            let reduced = Color.rgb(red, green, blue).reduced(to: .palette256)
            #expect(reduced.components ?? (0, 0, 0) == (red, green, blue))
            guard case .palette(let found) = reduced.kind else {
                Issue.record("not a palette entry")
                continue
            }
            #expect(found >= 16)
        }
    }

    @Test(
        "The colour that looks nearest is chosen, not the one with the nearest numbers",
        arguments: [
            (Color.rgb(250, 5, 5), UInt8(196)), (.rgb(90, 98, 92), 59), (.rgb(0, 0, 90), 17), (.rgb(128, 128, 128), 244),
            (.rgb(255, 255, 255), 231),
        ])
    func nearest(color: Color, index: UInt8) {
        guard case .palette(let found) = color.reduced(to: .palette256).kind, let shown = Color.palette(found).components,
            let wanted = color.components, let hinted = Color.palette(index).components
        else {
            Issue.record("no palette entry")
            return
        }
        func difference(_ a: UInt8, _ b: UInt8) -> Int { abs(Int(a) - Int(b)) }
        let far = difference(shown.red, wanted.red) + difference(shown.green, wanted.green) + difference(shown.blue, wanted.blue)
        let hint = difference(hinted.red, wanted.red) + difference(hinted.green, wanted.green) + difference(hinted.blue, wanted.blue)
        #expect(far <= hint + 24)
    }

    @Test("Sixteen and eight colours keep the hue")
    func small() {
        #expect(Color.rgb(20, 40, 110).reduced(to: .ansi16) == .palette(4))
        #expect(Color.rgb(200, 20, 20).reduced(to: .ansi8) == .palette(1))
        #expect(Color.palette(46).reduced(to: .ansi16) == .palette(10))
        #expect(Color.palette(46).reduced(to: .ansi8) == .palette(2))
        #expect(Color.palette(12).reduced(to: .ansi16) == .palette(12))
        #expect(Color.palette(12).reduced(to: .ansi8) == .palette(4))
        #expect(Color.palette(8).reduced(to: .ansi8) == .palette(0))
        #expect(Color.palette(16).reduced(to: .ansi16) == .palette(0))
        #expect(Color.palette(231).reduced(to: .ansi16) == .palette(15))
    }

    @Test("Eight colours give a grey no hue, and on the terminal's own background one that can be read")
    func greys() {
        for index in UInt8(232)...255 {
            let grey = Color.palette(index)
            #expect([Color.palette(0), .palette(7)].contains(grey.reduced(to: .ansi8)))
            let alone = Style(foreground: grey).reduced(to: .ansi8)
            #expect(alone.foreground == .default || index < 235)
            #expect(Style(foreground: grey, background: .palette(4)).reduced(to: .ansi8).foreground != .default)
        }
        #expect(Style(foreground: .palette(25)).reduced(to: .ansi8).foreground == .palette(4))
    }

    @Test("No depth changes the terminal's own colour, and the depth none has only that colour", arguments: ColorDepth.allCases)
    func own(depth: ColorDepth) {
        #expect(Color.default.reduced(to: depth) == .default)
        #expect(Color.rgb(1, 2, 3).reduced(to: .none) == .default)
        #expect(Color.palette(9).reduced(to: .none) == .default)
        #expect(Color.rgb(1, 2, 3).reduced(to: .direct) == .rgb(1, 2, 3))
        for index in UInt8.min...UInt8.max {
            let once = Color.palette(index).reduced(to: depth)
            #expect(once.reduced(to: depth) == once)
        }
    }
}
