/// An event of the mouse.
public struct MouseEvent: Hashable, Sendable {
    /// What was done.
    public enum Action: Hashable, Sendable {
        /// A button went down.
        case press(Button)
        /// With `nil` where the terminal does not say which button.
        case release(Button?)
        /// Moved with the button held.
        case drag(Button)
        /// The wheel turned by one step.
        case scroll(Direction)
    }

    /// The buttons that terminals tell apart.
    public enum Button: Hashable, Sendable {
        /// The left button, the wheel's, and the right one.
        case left, middle, right
    }

    /// Which way the wheel turned.
    public enum Direction: Hashable, Sendable {
        /// Upwards, downwards, or to a side.
        case up, down, left, right
    }

    /// What was done, with which button.
    public var action: Action
    /// The cell, always inside the screen.
    public var position: Position
    /// What was held on the keyboard.
    public var modifiers: Key.Modifiers

    /// An event at a cell of the screen.
    public init(_ action: Action, at position: Position, modifiers: Key.Modifiers = []) {
        self.action = action
        self.position = position
        self.modifiers = modifiers
    }
}
