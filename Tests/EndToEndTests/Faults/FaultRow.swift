import Foundation
import TripTesting

@testable import ProgramHarness

/// A scenario of the fault table: a command, a fault, and the message that the user sees.
struct FaultRow: Sendable {
    /// The place of the fault: a server, or the program's own machine.
    enum Side: Sendable {
        /// The Fleet Engine.
        case engine
        /// The engine over TLS.
        case safeEngine
        /// The provider API.
        case desk
        /// The provider API with TLS.
        case safeDesk
        /// A web server that serves tiles and tokens, and receives the events that hooks send.
        case web
        /// The server of a shared trip.
        case link
        /// The program's own machine: files, environment variables and limits.
        case own
    }

    /// The rest of the scenario, after the message about the fault.
    enum Course: Sendable {
        /// The command exits with this code.
        case ends(Int32)
        /// The fault is there from the start. After it ends, the text `news` appears. If `news` is empty, the message about the fault
        /// disappears from the screen.
        case recovers(news: String)
        /// The fault begins after the text `after` appears. It occurs `times` times. After each fault ends, the text `news` appears.
        case struck(after: String, news: String, times: Int = 1)
        /// The fault is there from the start and does not end. The user leaves the program after the message about the fault.
        case stays
    }

    /// The way to end a program that is still running when the rest of its scenario is over.
    enum Departure: Sendable {
        /// The user presses `q` to leave a screen. Without a screen, the user ends the program by SIGTERM. The program exits with this
        /// code; nil for the usual code, which is 0 for a screen and 143 otherwise.
        case asked(Int32? = nil)
        /// The program ends without the user and exits with this code.
        case alone(Int32)
    }

    let command: String
    var fault: String
    var side = Side.own
    var connection = ConnectionFault.none
    /// A part of the message about the fault. Empty if the user sees no message.
    let words: String
    let course: Course
    /// The arguments of the program. ``FaultScene/filled`` replaces placeholders such as `{trip}` and `{engine}`.
    let arguments: [String]
    var isOnScreen = false
    /// The keys that are typed before a program with a screen starts.
    var typed = ""
    var setting: [String: String] = [:]
    /// The limits of the process, as parameters of ``Program/start``.
    var descriptors: Int?
    var fileBlocks: Int?
    /// Whether the scenario has its own engine, to which `{engine}` and `{desk}` then refer.
    var ownsEngine = false
    /// The maximum time until the news appears, in multiples of the announced pause. With its jitter, a pause can be about twice as long as
    /// the one before, so the value is 3 (1 + 2) for two failures in a row, and 7 for three.
    var pauses = 1.0
    var departure = Departure.asked()
    /// The text that a second program must show; nil for the text `news`. The second program is started after the fault has ended.
    var calm: String?
    /// Prepares files and servers before the program starts.
    var prepare: (@Sendable (FaultScene) throws -> Void)?
    /// Begins a fault that is not a fault of the connection.
    var strike: (@Sendable (FaultScene, _ process: Int32) throws -> Void)?
    /// A text that the program must show before the fault ends; nil to end the fault after the message about it.
    var during: String?
    /// Makes a change during the fault. If the program loses the change, the scenario fails.
    var meanwhile: (@Sendable (FaultScene) throws -> Void)?
    /// Ends a fault that is not a fault of the connection.
    var heal: (@Sendable (FaultScene, _ process: Int32) throws -> Void)?
    /// Texts that the user must not see.
    var absent: [String] = []
    /// Texts that the user must not see twice.
    var once: [String] = []
    /// Plays a scenario that has no program.
    var plays: (@Sendable (FaultScene) throws -> FaultOutcome)?
    /// Checks at the end that nothing is lost.
    /// - Returns: a description of the loss; nil if nothing is lost.
    var loss: (@Sendable (FaultScene) throws -> String?)?

    var name: String { "\(command): \(fault)" }
}

/// The outcome of a scenario.
struct FaultOutcome: Sendable {
    /// The line or screen that contains the message about the fault.
    var said = ""
    /// The exit code; 128 plus the signal's number if a signal ended the program.
    var exit: Int32?
    /// The time, in seconds, from the end of the fault to the first new output, and the upper limit for this time.
    var recoverySeconds: Double?
    var limitSeconds: Double?
    /// The descriptors and memory without the fault, and after the recovery.
    var before: ProcessFigures?
    var after: ProcessFigures?
    /// A description of the problem; nil if the scenario passed.
    var problem: String?
}

/// The memory use of a process and its open descriptors.
struct ProcessFigures: Sendable {
    /// The target of each open descriptor, such as a file or a socket, sorted.
    let open: [String]
    /// Memory of the process itself. Pages of the program file are not counted, because code that runs for the first time loads more of
    /// them.
    let memoryKiB: Int

    /// Reads the figures; nil if the process has ended.
    init?(_ process: Int32) {
        let folder = "/proc/\(process)/fd"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder),
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let memory = status.firstMatch(of: #/RssAnon:\s+(\d+) kB/#).flatMap({ Int($0.1) })
        else { return nil }
        // A descriptor can be closed between the two calls.
        open = names.map { (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) ?? "closed" }.sorted()
        memoryKiB = memory
    }

    var descriptors: Int { open.count }

    /// The number of descriptors of event loops and timers.
    private var internals: Int { open.count { $0.hasPrefix("anon_inode:") } }

    /// The largest number of `internals` without a leak: three for each event loop, plus five for Dispatch, which opens a timer for a clock
    /// when the clock is first used. A program has one event loop for each processor.
    private static let mostInternals = 3 * ProcessInfo.processInfo.processorCount + 5

    /// Returns whether more descriptors are open than in `other`. Event loops and timers that are used for the first time are ignored, up
    /// to `mostInternals` descriptors.
    func hasMoreDescriptors(than other: ProcessFigures) -> Bool {
        descriptors - internals > other.descriptors - other.internals || internals > max(other.internals, Self.mostInternals)
    }
}
