/// An event of the mouse.
public struct MouseEvent: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        case press(Button)
        /// With `nil` where the terminal does not say which button.
        case release(Button?)
        /// Moved with the button held.
        case drag(Button)
        case scroll(Direction)
    }

    public enum Button: Hashable, Sendable {
        case left, middle, right
    }

    public enum Direction: Hashable, Sendable {
        case up, down, left, right
    }

    public var action: Action
    /// The cell, always inside the screen.
    public var position: Position
    public var modifiers: Key.Modifiers

    public init(_ action: Action, at position: Position, modifiers: Key.Modifiers = []) {
        self.action = action
        self.position = position
        self.modifiers = modifiers
    }
}
