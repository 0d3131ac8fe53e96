import Driver
import FleetEngine
import ProgramSurroundings

/// Passes typed keys to the driver of a delivery vehicle. The user types a key and then Enter.
final class DeliveryKeys: Sendable {
    /// Instructions for the keys, printed at the start of a drive.
    static let help = "type n (set off), v (arrived), o (done), X (failed) or q (end the drive), then Enter."

    private let lines: TypedLines

    /// Starts to read keys. Returns nil if the input is not a terminal.
    /// - Parameter quit: called on `q`.
    init?(_ streams: StandardStreams, _ controls: DeliveryControls, quit: @escaping @Sendable () -> Void) {
        let lines = TypedLines(
            streams,
            onText: { text in
                for byte in text {
                    if byte == UInt8(ascii: "q") { quit() } else if let command = Self.command(byte) { controls.tell(command) }
                }
            })
        guard let lines else { return nil }
        self.lines = lines
    }

    /// Returns the command for a key; nil if the key has none.
    static func command(_ key: UInt8) -> DeliveryCommand? {
        switch key {
        case UInt8(ascii: "n"): .setOff
        case UInt8(ascii: "v"): .arrived
        case UInt8(ascii: "o"): .end(.succeeded)
        case UInt8(ascii: "X"): .end(.failed)
        default: nil
        }
    }
}
