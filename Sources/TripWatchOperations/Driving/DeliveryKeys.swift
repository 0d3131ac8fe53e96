import Driver
import FleetEngine
import ProgramSurroundings

/// Passes typed keys to the driver of a delivery vehicle. The user types a key and then Enter.
final class DeliveryKeys: Sendable {
    private let lines: TypedLines

    /// Prints instructions for the keys and starts to read keys. A line without any of the keys prints the instructions again.
    /// Returns nil if the input is not a terminal.
    /// - Parameters:
    ///   - isAutomatic: whether the driver needs no keys.
    ///   - quit: called on `q`.
    init?(_ streams: StandardStreams, _ controls: DeliveryControls, isAutomatic: Bool, quit: @escaping @Sendable () -> Void) {
        let help = "tripwatch: \(Self.help(isAutomatic: isAutomatic))"
        let lines = TypedLines(
            streams,
            onText: { text in
                var hasKey = false
                for byte in text {
                    if byte == Self.quitKey {
                        quit()
                    } else if let command = Self.command(byte) {
                        controls.tell(command)
                    } else {
                        continue
                    }
                    hasKey = true
                }
                if !hasKey { streams.say(help) }
            })
        guard let lines else { return nil }
        self.lines = lines
        streams.note(help)
    }

    private static let quitKey = UInt8(ascii: "q")

    private static func help(isAutomatic: Bool) -> String {
        (isAutomatic ? "no keys are needed; to act yourself, " : "")
            + "type n (set off), v (arrived), o (done), X (failed) or q (end the drive), then Enter."
    }

    /// Returns the command for a key; nil if the key has none.
    private static func command(_ key: UInt8) -> DeliveryCommand? {
        switch key {
        case UInt8(ascii: "n"): .setOff
        case UInt8(ascii: "v"): .arrived
        case UInt8(ascii: "o"): .end(.succeeded)
        case UInt8(ascii: "X"): .end(.failed)
        default: nil
        }
    }

    /// Returns the word that the instructions use for a command.
    static func word(_ command: DeliveryCommand) -> String {
        switch command {
        case .setOff: "set off"
        case .arrived: "arrived"
        case .end(.succeeded): "done"
        case .end(.failed): "failed"
        }
    }
}
