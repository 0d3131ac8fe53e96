/// A duration as text: `90s`, `2min`, `1h`, `30d`.
package enum TimeSpanText {
    /// Parses a duration greater than 0. Returns seconds; nil for an invalid text.
    package static func seconds(_ text: String) -> Double? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let factors = ["s": 1.0, "min": 60, "m": 60, "h": 3_600, "d": 86_400]
        guard let number = Double(digits), let factor = factors[String(text.dropFirst(digits.count))] else { return nil }
        return number.isFinite && number > 0 ? number * factor : nil
    }
}
