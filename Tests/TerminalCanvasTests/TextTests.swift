import Geo
import TerminalCanvas
import Testing

@Suite("Text width and safety")
struct TextTests {
    @Test(
        "Widths are those of the Unicode 15.0 tables",
        arguments: [
            (0, [0x300, 0xeb7, 0x1928, 0x1dec, 0xd7cf, 0x110b3, 0x11131, 0x1cf1c, 0x20dd, 0x1160, 0xe0100] as [UInt32]),
            (
                1,
                [
                    0x20, 0x7e, 0xa0, 0xdd, 0x2ff, 0x4da, 0x1a83, 0x25b8, 0x25c9, 0x2691, 0x26a0, 0x2aa3, 0x2c66, 0x28ff, 0xaaaf, 0xfbef,
                    0x1046a, 0x1fb00, 0x1d054,
                    0x1eeb4,
                ]
            ),
            (2, [0x1100, 0x231a, 0x2614, 0x3000, 0x3649, 0x4f04, 0xac00, 0xff01, 0x1f600, 0x1f695, 0x21924, 0x2d55e, 0x3fffd]),
        ])
    func width(cells: Int, values: [UInt32]) {
        for value in values {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(TextWidth.width(of: scalar) == cells, "U+\(String(value, radix: 16))")
        }
    }

    /// Computes the FNV-1a hash of the widths of U+00A0 ... U+10FFFF without surrogates. The expected hash is that of the
    /// wcwidth library's table for Unicode 15.0.
    @Test("Every single character has its width")
    func allWidths() {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for value in UInt32(0xa0)...0x10_ffff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            hash = (hash ^ UInt64(TextWidth.width(of: scalar))) &* 0x100_0000_01b3
        }
        #expect(hash == allWidthsHash)
    }

    @Test(
        "Display width counts cells",
        arguments: [
            ("", 0), ("Ferry", 5), ("東京駅", 6), ("e\u{301}", 1), ("🚕", 2), ("a\u{200b}b", 2), ("\u{1b}[0m", 3), ("한국", 4), ("ﾊﾝｶｸ", 4),
            ("⣿⠛⠛", 3),
        ])
    func display(text: String, cells: Int) {
        #expect(displayWidth(text) == cells)
        #expect(displayWidth(sanitised(text)) == cells)
    }

    @Test(
        "Text from outside loses harmful characters",
        arguments: [
            ("a\u{1b}]0;x\u{7}b", "a]0;xb"), ("\u{9b}31mred", "31mred"), ("x\u{202e}y\u{2066}z\u{200f}\u{61c}", "xyz"),
            ("a\u{200d}b\u{fe0f}c\u{feff}", "abc"),
            ("line\r\nnext\tcell\u{2028}", "line next cell"), ("\n\n", ""), ("e\u{301}\u{302}\u{303}\u{304}x", "e\u{301}\u{302}x"),
            ("\u{301}a", "a"),
            ("\u{e0041}\u{e007f}t", "t"), ("Zoë ∙ 東", "Zoë ∙ 東"), ("a\u{2060}\u{180e}\u{ad}b\u{fffe}", "ab"), ("\u{e000}", "\u{e000}"),
        ])
    func safe(text: String, expected: String) {
        #expect(Array(sanitised(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test("Safe text is bounded, stays safe and does not change again")
    func safeProperties() {
        #expect(sanitised(String(repeating: "x", count: 5_000)).count == 1_024)
        #expect(sanitised("abc", maximumLength: 2) == "ab")
        #expect(sanitised("abc", maximumLength: -2) == "")
        var generator = SeededRandom(seed: 3)
        for _ in 0..<500 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<30 {
                let limit: UInt32 = [0x80, 0x400, 0x3000, 0x2_0000, 0x11_0000].randomElement(using: &generator) ?? 0x80
                Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)).map { scalars.append($0) }
            }
            let once = sanitised(String(scalars), maximumLength: 25)
            #expect(once.unicodeScalars.count <= 25)
            #expect(Array(sanitised(once).unicodeScalars) == Array(once.unicodeScalars))
            #expect(
                once.unicodeScalars.allSatisfy {
                    $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) && !(0x202a...0x202e).contains($0.value)
                })
            let ascii = transliterated(String(scalars))
            #expect(ascii.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
        }
    }

    @Test("a harmful character is seen at each place of a plain text", arguments: ["\u{1b}", "\u{7f}", "\u{85}"])
    func plain(harmful: String) {
        for place in 0...6 {
            let text = "\("abcdef".prefix(place))\(harmful)\("abcdef".dropFirst(place))"
            #expect(sanitised(text).filter { $0 != " " } == "abcdef")
            #expect(displayWidth(text) == 6)
        }
        #expect(sanitised("abcdef", maximumLength: 6) == "abcdef")
        #expect(sanitised("abcdef", maximumLength: 5) == "abcde")
    }
}

private let allWidthsHash: UInt64 = 0x2541_78dc_ff9e_8d90
