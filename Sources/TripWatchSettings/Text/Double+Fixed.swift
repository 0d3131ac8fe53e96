extension Double {
    /// Returns the number as text, rounded to `decimals` decimal places (at most 7), without trailing zeros. Numbers that are too large to
    /// round and numbers that are not finite are written in Swift's own format.
    package func fixed(decimals: Int) -> String {
        let places = Swift.min(Swift.max(decimals, 0), 7)
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = (magnitude * scale).rounded()
        guard scaled < 9e15 else { return "\(self)" }
        let whole = Int64(scaled)
        let unit = Int64(scale)
        var fraction = String(whole % unit)
        fraction = String(repeating: "0", count: Swift.max(0, places - fraction.count)) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let sign = self < 0 && whole != 0 ? "-" : ""
        return sign + "\(whole / unit)" + (places == 0 || fraction.isEmpty ? "" : "." + fraction)
    }
}
