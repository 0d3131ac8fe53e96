import Crypto
import Files
import FleetEngine
import FoundationEssentials
import HTTPCalls
import ProgramSurroundings
import TripWatchSettings
import TripWatchWords

/// The reason why a receiver did not accept an event.
struct HookTrouble: Hashable, Sendable {
    /// The consequence for the event.
    enum Outcome: Hashable, Sendable {
        /// The event is sent again later.
        case again
        /// The event is dropped, and the next one is sent.
        case dropped
        /// The receiver accepts no more events.
        case gone
        /// The event was passed to a command, but the command failed.
        case told
    }

    /// The description of the problem, in words that follow the receiver's name.
    let words: String
    let outcome: Outcome

    /// Returns the trouble that an HTTP status indicates; nil if the receiver accepted the event. A redirected or refused event is
    /// dropped.
    static func answer(_ status: Int) -> HookTrouble? {
        let outcome: Outcome? =
            switch status {
            case 200..<300: nil
            case 408, 429: .again
            case 410: .gone
            case 300..<500: .dropped
            default: .again
            }
        return outcome.map { HookTrouble(words: "answers with HTTP \(status)", outcome: $0) }
    }
}

/// A receiver of events, which is an address or a command.
struct HookReceiver: Sendable {
    /// The time limit of a request, in seconds.
    static let requestSeconds = 10.0
    private static let largestAnswer = 1 << 20
    private static let largestKeyKiB = 64

    private enum Way: Sendable {
        case address(String, headers: [(name: String, value: String)], key: SymmetricKey?, caFile: String?)
        case command(HookCommand)
    }

    /// The name of the receiver in messages: the name of a program, or the origin of an address. The rest of an address may be
    /// secret.
    private(set) var name: String
    private let way: Way

    /// - Throws: `Failure` if the key file cannot be read or is empty.
    init(_ hook: Hook, version: String, caFile: String?, in surroundings: Surroundings) throws(Failure) {
        switch hook.target {
        case .address(let address):
            let origin = URL(string: address).flatMap(HTTPOrigin.init)
            name = "the hook at \(origin?.description ?? "its address")"
            let headers = [("content-type", "application/json"), ("user-agent", "tripwatch/\(version)")]
            way = .address(
                address, headers: headers.map { (name: $0.0, value: $0.1) }, key: try hook.keyFile.map(Self.key), caFile: caFile)
        case .command(let command):
            name = "the command \(printable(command.words.first ?? ""))"
            way = .command(HookCommand(words: command.words, environment: surroundings.environment, time: surroundings.clock(1)))
        }
    }

    /// Returns the receivers. If several have the same name, each of their names also gets the receiver's number in the list.
    static func numbered(_ receivers: [HookReceiver]) -> [HookReceiver] {
        receivers.enumerated().map { index, receiver in
            var numbered = receiver
            if receivers.count(where: { $0.name == receiver.name }) > 1 { numbered.name += " (hook \(index + 1))" }
            return numbered
        }
    }

    /// Reads a key from a file, and removes line breaks at its end.
    private static func key(_ path: String) throws(Failure) -> SymmetricKey {
        let bytes: [UInt8]
        do throws(SmallFile.Trouble) {
            bytes = try SmallFile.bytes(path: path, limit: largestKeyKiB << 10)
        } catch {
            throw Failure(
                message: "the hook's key file \(printable(path)) \(error.words(limitKiB: largestKeyKiB)).", exitCode: ExitCodes.failed)
        }
        let key = bytes.prefix((bytes.lastIndex { $0 != 0x0a && $0 != 0x0d } ?? -1) + 1)
        guard !key.isEmpty else {
            throw Failure(message: "the hook's key file \(printable(path)) is empty: write a key into it.", exitCode: ExitCodes.failed)
        }
        Secrets.protectMemory()
        return SymmetricKey(data: key)
    }

    /// Sends an event to the receiver.
    /// - Returns: nil if the event was accepted.
    func deliver(_ event: HookEvent) async -> HookTrouble? {
        switch way {
        case .command(let command): return await command.run(event.variables).map { HookTrouble(words: $0, outcome: .told) }
        case .address(let url, var headers, let key, let caFile):
            let body = Array(event.json.utf8)
            if let key {
                let code = HMAC<SHA256>.authenticationCode(for: body, using: key)
                headers.append((name: "x-tripwatch-signature", value: "sha256=" + code.map { Self.hex($0) }.joined()))
            }
            let exchange = HTTPExchange(
                method: "POST", url: url, headers: headers, body: body, largestAnswer: Self.largestAnswer,
                limitSeconds: Self.requestSeconds, caFile: caFile)
            do throws(HTTPFailure) {
                let answer = try await exchange.send(SystemTimeSource())
                return HookTrouble.answer(answer.status)
            } catch {
                let predicate = error.isUnsent ? "cannot be reached" : error.predicate
                return HookTrouble(words: "\(predicate) (\(error.words))", outcome: .again)
            }
        }
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
