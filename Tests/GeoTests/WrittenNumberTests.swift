import Testing

@testable import Geo

@Suite("Numbers as they are written")
struct WrittenNumberTests {
    @Test(
        "numbers may have spaces around them, a plus, a decimal comma, digits of another script or a true minus sign",
        arguments: [
            ("48.5", 48.5), ("-1e-3", -0.001), (" 9.1", 9.1), ("9.1\n", 9.1), ("\u{A0}9.1\t", 9.1), ("+9.1", 9.1), (" +9,1 ", 9.1),
            ("48,5", 48.5), ("-0,25", -0.25), ("\u{2212}9.1", -9.1), ("\u{664}\u{668}\u{66B}\u{665}", 48.5), ("\u{6F9}.\u{6F1}", 9.1),
            ("\u{96F}.\u{967}", 9.1),
        ])
    func read(text: String, number: Double) { #expect(Double(written: text) == number) }

    @Test(
        "other texts are not numbers",
        arguments: [
            "", " ", ",", "-", "4 8.5", "48,5,1", "1,234.5", "48.5N", "48\u{B0}5", "\u{BD}", "48.5;9.1", "%LAT", "--1", "\u{662}\u{B2}",
            String(repeating: " ", count: 70) + "1",
        ])
    func refused(text: String) { #expect(Double(written: text) == nil) }
}
