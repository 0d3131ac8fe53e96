/// How the characters of a cell are drawn, colour apart.
@frozen
public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let bold = Attributes(rawValue: 1)
    public static let dim = Attributes(rawValue: 2)
    public static let underline = Attributes(rawValue: 4)
    public static let reverse = Attributes(rawValue: 8)
    public static let italic = Attributes(rawValue: 16)
    public static let blink = Attributes(rawValue: 32)
}

/// Colours and attributes of one cell.
@frozen
public struct Style: Hashable, Sendable {
    public var foreground: Color
    public var background: Color
    public var attributes: Attributes

    /// The terminal's own colours, no attributes.
    public static let plain = Style()

    @inlinable
    public init(foreground: Color = .default, background: Color = .default, attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }
}
