import Foundation
import TripTesting

/// A scenario of the fault table: a command, a fault, and what a user sees of it.
struct FaultRow: Sendable {
    /// The side of the program on which the fault is.
    enum Side: Sendable {
        /// The Fleet Engine.
        case engine
        /// The Fleet Engine with TLS.
        case safeEngine
        /// The provider API.
        case desk
        /// A web server with tiles, tokens and receivers of hooks.
        case web
        /// The server of a shared trip.
        case link
        /// The program's own surroundings.
        case own
    }

    /// What happens after the words about the fault.
    enum Course: Sendable {
        /// The command ends by itself with this code.
        case ends(Int32)
        /// The fault is there from the start. Once it is over, the news come. Without news, the words about it leave the screen.
        case recovers(news: String)
        /// The fault strikes after these words, this number of times. Once it is over, the news come.
        case struck(after: String, news: String, times: Int = 1)
    }

    let command: String
    let fault: String
    var side = Side.own
    var connection = ConnectionFault.none
    /// A part of what the user sees of the fault. Empty where nothing is to be seen.
    let words: String
    let course: Course
    /// The program's arguments. `{trip}`, `{engine}` and the like stand for what ``FaultScene/filled`` gives.
    let arguments: [String]
    var isOnScreen = false
    var setting: [String: String] = [:]
    /// Limits of the process, as for ``Program/start``.
    var descriptors: Int?
    var fileBlocks: Int?
    /// Makes the surroundings before the start.
    var prepare: (@Sendable (FaultScene) throws -> Void)?
    /// Acts while the fault is there, so that a loss would be seen.
    var meanwhile: (@Sendable (FaultScene) throws -> Void)?
    /// Checks at the end that nothing is lost.
    /// - Returns: what is lost; nil for nothing.
    var loss: (@Sendable (FaultScene) throws -> String?)?

    var name: String { "\(command): \(fault)" }
}

/// The outcome of a scenario.
struct FaultOutcome: Sendable {
    /// The line or screen with the words.
    var said = ""
    /// The exit code; 128 and the number for a signal.
    var exit: Int32?
    /// Seconds from the fault's end to the news, and their limit.
    var recoverySeconds: Double?
    var limitSeconds: Double?
    /// Before the fault, and after the recovery.
    var before: ProcessFigures?
    var after: ProcessFigures?
    /// What went wrong; nil for nothing.
    var problem: String?
}

/// What a process holds.
struct ProcessFigures: Sendable {
    let descriptors: Int
    let residentKiB: Int

    /// Nil once the process has ended.
    init?(_ process: Int32) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd"),
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let resident = status.firstMatch(of: #/VmRSS:\s+(\d+) kB/#).flatMap({ Int($0.1) })
        else { return nil }
        descriptors = names.count
        residentKiB = resident
    }
}
