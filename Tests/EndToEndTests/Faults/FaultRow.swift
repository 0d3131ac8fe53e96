import Foundation
import TripTesting

/// A scenario of the fault table: a command, a fault, and the words that a user sees.
struct FaultRow: Sendable {
    /// The part of the program's surroundings that has the fault.
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
        /// The program's machine: files, variables and limits.
        case own
    }

    /// The course of the scenario after the words about the fault.
    enum Course: Sendable {
        /// The command exits with this code.
        case ends(Int32)
        /// The fault is there from the start. After its end, the news appears. If the news is empty, the words about the fault leave the
        /// screen.
        case recovers(news: String)
        /// The fault begins after these words, this number of times. After its end, the news appears.
        case struck(after: String, news: String, times: Int = 1)
    }

    let command: String
    var fault: String
    var side = Side.own
    var connection = ConnectionFault.none
    /// Part of the text that the user sees about the fault. Empty if the user sees nothing.
    let words: String
    let course: Course
    /// Arguments of the program. ``FaultScene/filled`` replaces `{trip}`, `{engine}` and the like.
    let arguments: [String]
    var isOnScreen = false
    var setting: [String: String] = [:]
    /// Limits of the process, as for ``Program/start``.
    var descriptors: Int?
    var fileBlocks: Int?
    /// Whether the scenario has an engine of its own, for `{engine}` and `{desk}`.
    var ownsEngine = false
    /// Number of announced pauses that the news may take. The pause doubles with each failure, so two failures in a row take 3.
    var pauses = 1.0
    /// Prepares the surroundings before the start.
    var prepare: (@Sendable (FaultScene) throws -> Void)?
    /// Begins a fault that is not one of the connection.
    var strike: (@Sendable (FaultScene, _ process: Int32) throws -> Void)?
    /// Acts during the fault, so that a loss shows.
    var meanwhile: (@Sendable (FaultScene) throws -> Void)?
    /// Ends a fault that is not one of the connection.
    var heal: (@Sendable (FaultScene, _ process: Int32) throws -> Void)?
    /// Words that the user must not see.
    var absent: [String] = []
    /// Plays a scenario without a program.
    var plays: (@Sendable (FaultScene) throws -> FaultOutcome)?
    /// Checks at the end that nothing is lost.
    /// - Returns: name of the lost thing; nil if nothing is lost.
    var loss: (@Sendable (FaultScene) throws -> String?)?

    var name: String { "\(command): \(fault)" }
}

/// The outcome of a scenario.
struct FaultOutcome: Sendable {
    /// The line or screen that has the words.
    var said = ""
    /// The exit code, or 128 plus the signal's number.
    var exit: Int32?
    /// Seconds from the end of the fault to the news, and the limit for them.
    var recoverySeconds: Double?
    var limitSeconds: Double?
    /// Figures before the fault and after the recovery.
    var before: ProcessFigures?
    var after: ProcessFigures?
    /// Description of the problem; nil if the scenario passed.
    var problem: String?
}

/// Descriptors and memory of a process.
struct ProcessFigures: Sendable {
    let descriptors: Int
    let residentKiB: Int

    /// Nil if the process has ended.
    init?(_ process: Int32) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd"),
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let resident = status.firstMatch(of: #/VmRSS:\s+(\d+) kB/#).flatMap({ Int($0.1) })
        else { return nil }
        descriptors = names.count
        residentKiB = resident
    }
}
