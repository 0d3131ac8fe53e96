/// A mouse event.
public struct MouseEvent: Hashable, Sendable {
    /// The action of the mouse.
    public enum Action: Hashable, Sendable {
        /// A button went down.
        case press(Button)
        /// A button was released; `nil` if the terminal does not report which button.
        case release(Button?)
        /// The mouse moved with the button held.
        case drag(Button)
        /// The wheel turned by one step.
        case scroll(Direction)
    }

    /// The buttons that terminals distinguish.
    public enum Button: Hashable, Sendable {
        /// The left button, the wheel pressed as a button, and the right button.
        case left, middle, right
    }

    /// The direction of the wheel.
    public enum Direction: Hashable, Sendable {
        /// Upwards, downwards, or to a side.
        case up, down, left, right
    }

    /// The action, with its button or direction.
    public var action: Action
    /// The cell under the mouse, always inside the screen.
    public var position: Position
    /// The modifier keys that are held.
    public var modifiers: Key.Modifiers

    /// Creates an event at a cell of the screen.
    public init(_ action: Action, at position: Position, modifiers: Key.Modifiers = []) {
        self.action = action
        self.position = position
        self.modifiers = modifiers
    }
}
