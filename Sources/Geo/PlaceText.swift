/// A location as users write and copy it: `48.5,9.1`, `48.50, 9.10`, `(48.5, 9.1)`, `48.5 9.1`, `48.5° N, 9.1° E`, `48°30'12.3"N 9°6'0"E`,
/// or a `geo:` link.
public struct PlaceText: Hashable, Sendable {
    private static let longestText = 300

    /// The location, in WGS84.
    public let coordinate: Coordinate
    /// The zoom in a `geo:` link; nil if the text has none.
    public let zoom: Double?

    /// - Returns: nil for a text that is not a location on earth.
    public init?(_ text: some StringProtocol) {
        if let link = GeoLink(text) {
            coordinate = link.coordinate
            zoom = link.zoom
            return
        }
        guard let place = Self.coordinate(text) else { return nil }
        coordinate = place
        zoom = nil
    }

    /// Parses text that is not a link: two numbers, or two angles. Nil if it is not a location on earth.
    static func coordinate(_ text: some StringProtocol) -> Coordinate? {
        let text = text.prefix(longestText)
        return (pair(text) ?? angles(text)).flatMap { $0.isValid ? $0 : nil }
    }

    /// Parses two numbers with a comma between them.
    private static func pair(_ text: some StringProtocol) -> Coordinate? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double(AngleReader.trimmed($0)) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func angles(_ text: some StringProtocol) -> Coordinate? {
        var reader = AngleReader(text)
        guard let first = reader.angle(), reader.separator(after: first), let second = reader.angle(), reader.isAtEnd else { return nil }
        let isTurned = first.axis == .longitude || second.axis == .latitude
        let other: AngleReader.Axis = isTurned ? .longitude : .latitude
        guard first.axis ?? other == other, second.axis != other else { return nil }
        return Coordinate(
            latitude: isTurned ? second.degrees : first.degrees, longitude: isTurned ? first.degrees : second.degrees)
    }
}

/// Reads angles from the start of a text.
private struct AngleReader {
    enum Axis {
        case latitude, longitude
    }

    struct Angle {
        var degrees: Double
        /// The axis (latitude or longitude) that the compass letter names; nil without a letter.
        var axis: Axis?
    }

    /// Symbols for degrees, minutes and seconds, as programs and word processors write them.
    private static let degreeMarks: Set<Character> = ["°", "º", "˚"]
    private static let minuteMarks: Set<Character> = ["'", "′", "’", "´"]
    private static let secondMarks: Set<Character> = ["\"", "″", "”"]

    private var rest: ArraySlice<Character>

    init(_ text: some StringProtocol) {
        var characters = Array(Self.trimmed(text))[...]
        if let first = characters.first, let last = characters.last, (first == "(" && last == ")") || (first == "[" && last == "]") {
            characters = characters.dropFirst().dropLast()
        }
        rest = characters
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        var text = String(text).drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    var isAtEnd: Bool { rest.allSatisfy(\.isWhitespace) }

    mutating func angle() -> Angle? {
        var letter = self.letter()
        let isNegative = skip(["-", "−"])
        if !isNegative { _ = skip(["+"]) }
        guard var degrees = number() else { return nil }
        if skip(Self.degreeMarks) {
            guard let minutes = part(Self.minuteMarks), let seconds = part(Self.secondMarks) else { return nil }
            degrees += minutes / 60 + seconds / 3_600
        }
        letter = letter ?? self.letter()
        guard let letter else { return Angle(degrees: isNegative ? -degrees : degrees, axis: nil) }
        let isSouthOrWest = letter == "S" || letter == "W"
        guard !isNegative else { return nil }
        return Angle(degrees: isSouthOrWest ? -degrees : degrees, axis: letter == "N" || letter == "S" ? .latitude : .longitude)
    }

    /// Reads the separator after the first angle: a comma or a space. It may be missing if the first angle has a compass letter.
    mutating func separator(after first: Angle) -> Bool {
        let hasSpace = rest.first?.isWhitespace == true
        return skip([","]) || hasSpace || first.axis != nil
    }

    /// Reads minutes or seconds with their mark; 0 if they are missing, nil if they are 60 or more.
    private mutating func part(_ marks: Set<Character>) -> Double? {
        let before = rest
        guard let value = number() else { return 0 }
        guard skip(marks) else {
            // A number without a mark belongs to the next angle.
            rest = before
            return 0
        }
        return value < 60 ? value : nil
    }

    private mutating func number() -> Double? {
        let start = rest.drop { $0.isWhitespace }
        let digits = start.prefix { $0 == "." || $0.isASCII && $0.isNumber }
        guard let value = Double(String(digits)) else { return nil }
        rest = start.dropFirst(digits.count)
        return value
    }

    private mutating func letter() -> Character? {
        let start = rest.drop { $0.isWhitespace }
        guard let first = start.first, let letter = first.uppercased().first, "NSEW".contains(letter) else { return nil }
        rest = start.dropFirst()
        return letter
    }

    private mutating func skip(_ marks: Set<Character>) -> Bool {
        let start = rest.drop { $0.isWhitespace }
        guard let first = start.first, marks.contains(first) else { return false }
        rest = start.dropFirst()
        return true
    }
}
