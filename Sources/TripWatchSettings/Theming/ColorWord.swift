import TOMLText
import TerminalCanvas

/// The words for colours in a theme file.
enum ColorWord {
    /// ECMA-48's names for the first sixteen entries of the palette.
    static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black", "bright-red", "bright-green",
        "bright-yellow",
        "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
    ]

    /// Description of the allowed values if only the first sixteen colours are allowed, for messages.
    static let allowedSixteen = "default, 0 to 15, " + names.joined(separator: ", ")
    /// Description of the allowed values, for messages.
    private static let allowed = "default, 0 to 255, \"#rrggbb\", " + names.joined(separator: ", ")

    /// Returns a message about a value that is not a colour. It suggests a similar word, and lists the allowed values.
    ///
    /// - Parameter paletteNames: the palette names that are allowed here; nil if no palette name is allowed.
    static func refusal(of value: TOMLDocument.Value, names paletteNames: [String]?) -> String {
        var sentence = "\(value.shown) is not a colour"
        if case .string(let word) = value, let near = Nearest.match(word, among: (paletteNames ?? []) + names + ["default"]) {
            sentence += " (did you mean \(quoted(near))?)"
        }
        return sentence + "; use " + (paletteNames == nil ? "" : "a name from [palette], ") + allowed
    }

    /// Returns the colour of a value that does not refer to a palette; nil for other values.
    static func color(_ value: TOMLDocument.Value) -> Color? {
        switch value {
        case .integer(let number): UInt8(exactly: number).map { .palette($0) }
        case .string("default"): .default
        case .string(let word):
            names.firstIndex(of: word).flatMap { UInt8(exactly: $0) }.map { .palette($0) } ?? hexadecimal(word)
                ?? decimal(word).map { .palette($0) }
        default: nil
        }
    }

    private static func decimal(_ word: String) -> UInt8? {
        word.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt8(word) : nil
    }

    private static func hexadecimal(_ word: String) -> Color? {
        let digits = word.utf8.dropFirst()
        guard word.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let number = UInt32(word.dropFirst(), radix: 16)
        else { return nil }
        return .rgb(
            UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
    }
}
