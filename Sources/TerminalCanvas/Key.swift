/// A key as sent by a terminal.
public struct Key: Hashable, Sendable {
    /// The key without modifiers.
    public enum Code: Hashable, Sendable {
        /// One Unicode scalar, already shifted if Shift is held. With ``Modifiers/control``, letters are lower case.
        case character(Character)
        /// The navigation and editing keys.
        case up, down, left, right, home, end, pageUp, pageDown, insert, delete
        /// Keys without a character of their own; `backtab` is Tab with Shift.
        case tab, backtab, enter, escape, backspace
        /// F1 to F12.
        case function(Int)
    }

    /// The modifiers of a key. Some terminals do not distinguish all of them.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The modifiers as bits.
        public let rawValue: UInt8

        /// Creates modifiers from bits. Unknown bits are kept.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Shift, if the terminal reports it separately from the shifted character.
        public static let shift = Modifiers(rawValue: 1)
        /// Alt, which some terminals send as a leading escape character.
        public static let alt = Modifiers(rawValue: 2)
        /// Control.
        public static let control = Modifiers(rawValue: 4)
    }

    /// The key that was pressed.
    public var code: Code
    /// The modifiers held with the key.
    public var modifiers: Modifiers

    /// Creates a key with modifiers.
    public init(_ code: Code, modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// Returns the key of a character, without modifiers.
    public static func character(_ character: Character) -> Key {
        Key(.character(character))
    }

    /// Returns the key of a character with Ctrl. The character is a lower-case letter, a space, or one of `@ [ \ ] ^ _`. Ctrl-I, Ctrl-M,
    /// Ctrl-H and Ctrl-\[ arrive as Tab, Enter, Backspace and Escape, because terminals send the same byte for both keys of each pair.
    /// Ctrl-J also arrives as Enter, and Ctrl-@ arrives as Ctrl-Space.
    public static func control(_ character: Character) -> Key {
        Key(.character(character), modifiers: .control)
    }

    /// Returns the key of a character with Alt.
    public static func alt(_ character: Character) -> Key {
        Key(.character(character), modifiers: .alt)
    }
}

// MARK: - Names

extension Key: CustomStringConvertible {
    private static let named: [(String, Code)] = [
        ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("home", .home), ("end", .end), ("pgup", .pageUp),
        ("pgdn", .pageDown), ("ins", .insert), ("del", .delete), ("tab", .tab), ("shift-tab", .backtab), ("enter", .enter),
        ("esc", .escape), ("backspace", .backspace), ("space", .character(" ")),
    ]

    /// Parses the format of `description`: `q`, `ctrl-c`, `alt-x`, `esc`, `f1`. Upper and lower case are distinguished only for single
    /// letters and letters with Alt.
    public init?(_ text: String) {
        let lower = text.lowercased()
        if text.count == 1, let character = text.first {
            self.init(.character(character))
        } else if let code = Self.named.first(where: { $0.0 == lower })?.1 {
            self.init(code)
        } else if lower.hasPrefix("f"), let number = Int(lower.dropFirst()), (1...12).contains(number) {
            self.init(.function(number))
        } else if let (prefix, modifier) = Modifiers.named.first(where: { lower.hasPrefix($0.0) }),
            // Upper and lower case are distinguished with Alt, but not with Ctrl.
            let key = Key(String((modifier == .alt ? text : lower).dropFirst(prefix.count))), !key.modifiers.contains(modifier)
        {
            self.init(key.code, modifiers: key.modifiers.union(modifier))
        } else {
            return nil
        }
    }

    public var description: String {
        let name =
            switch code {
            case .character(let character) where character != " ": String(character)
            case .function(let number): "f\(number)"
            default: Self.named.first { $0.1 == code }?.0 ?? "?"
            }
        return Modifiers.named.filter { modifiers.contains($0.1) }.map(\.0).joined() + name
    }

    /// The key as shown to users: `Esc`, `Ctrl-C`, `F1`, `q`.
    public var title: String {
        switch code {
        case .character(let character) where modifiers == .control: "Ctrl-\(character.uppercased())"
        case .character(let character) where character != " " && modifiers.isEmpty: String(character)
        // Upper and lower case of a single letter are different keys.
        default:
            description.split(separator: "-", omittingEmptySubsequences: false)
                .map { $0.count == 1 && !modifiers.isEmpty ? String($0) : $0.prefix(1).uppercased() + $0.dropFirst() }
                .joined(separator: "-")
        }
    }
}

extension Key.Modifiers {
    fileprivate static let named: [(String, Key.Modifiers)] = [("ctrl-", .control), ("alt-", .alt), ("shift-", .shift)]
}
