/// A key as the terminal sent it.
public struct Key: Hashable, Sendable {
    /// Which key, modifiers apart.
    public enum Code: Hashable, Sendable {
        /// One Unicode scalar. Letters with ``Modifiers/control`` are lower case, shifted characters arrive as what they make.
        case character(Character)
        case up, down, left, right, home, end, pageUp, pageDown, insert, delete
        case tab, backtab, enter, escape, backspace
        /// F1 to F12.
        case function(Int)
    }

    /// Modifiers that terminals tell apart. Not every terminal tells all of them.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public static let shift = Modifiers(rawValue: 1)
        public static let alt = Modifiers(rawValue: 2)
        public static let control = Modifiers(rawValue: 4)
    }

    public var code: Code
    public var modifiers: Modifiers

    public init(_ code: Code, modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// A character without modifiers.
    public static func character(_ character: Character) -> Key {
        Key(.character(character))
    }

    /// A lower-case letter, or one of `@ [ \ ] ^ _` and space, with Ctrl. Ctrl-I, Ctrl-M, Ctrl-H and Ctrl-\[ arrive as Tab, Enter, Backspace and
    /// Escape, because terminals send the same byte for both.
    public static func control(_ character: Character) -> Key {
        Key(.character(character), modifiers: .control)
    }

    /// A character with Alt.
    public static func alt(_ character: Character) -> Key {
        Key(.character(character), modifiers: .alt)
    }
}
