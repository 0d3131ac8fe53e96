public import TerminalCanvas

/// A key as the app knows it. The terminal's own keys become these at the program's edge, so that the app knows no terminal.
public struct AppKey: Hashable, Sendable {
    public enum Code: Hashable, Sendable {
        case character(Character)
        case up, down, left, right, home, end, pageUp, pageDown, delete, tab, backtab, enter, escape, backspace
        /// F1 to F12.
        case function(Int)
    }

    public var code: Code
    public var isControl: Bool

    public init(_ code: Code, isControl: Bool = false) {
        self.code = code
        self.isControl = isControl
    }

    public static func character(_ character: Character) -> AppKey { AppKey(.character(character)) }
    public static func control(_ character: Character) -> AppKey { AppKey(.character(character), isControl: true) }
}

extension AppKey: CustomStringConvertible {
    private static let named: [(String, Code)] = [
        ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("home", .home), ("end", .end), ("pgup", .pageUp),
        ("pgdn", .pageDown), ("del", .delete), ("tab", .tab), ("shift-tab", .backtab), ("enter", .enter), ("esc", .escape),
        ("backspace", .backspace), ("space", .character(" ")),
    ]

    /// Reads the form that `description` writes: `q`, `ctrl-c`, `esc`, `f1`, in any case where that makes no difference.
    public init?(_ text: String) {
        let lower = text.lowercased()
        if text.count == 1, let character = text.first {
            self.init(.character(character))
        } else if let code = Self.named.first(where: { $0.0 == lower })?.1 {
            self.init(code)
        } else if lower.hasPrefix("ctrl-"), let key = AppKey(String(lower.dropFirst(5))), !key.isControl {
            self.init(key.code, isControl: true)
        } else if lower.hasPrefix("f"), let number = Int(lower.dropFirst()), (1...12).contains(number) {
            self.init(.function(number))
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
        return isControl ? "ctrl-" + name : name
    }

    /// The key as people read it: `Esc`, `Ctrl-C`, `F1`, `q`.
    public var title: String {
        switch code {
        case .character(let character) where isControl: "Ctrl-\(character.uppercased())"
        case .character(let character) where character != " ": String(character)
        default: description.prefix(1).uppercased() + description.dropFirst()
        }
    }
}

/// What the mouse did.
public struct AppMouse: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        /// The left button was pressed.
        case press
        /// Moved with the left button held.
        case drag
        case release
        case scrollUp
        case scrollDown
    }

    public var action: Action
    /// The cell of the screen.
    public var position: Position

    public init(_ action: Action, at position: Position) {
        self.action = action
        self.position = position
    }
}
