import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings

/// A command of the program. It gets the process's streams, environment and clock as `Surroundings`.
///
/// No option group contains another group. In a debug build, each level of nesting makes the parser's validation four times
/// slower.
protocol ProgramCommand: AsyncParsableCommand {
    var log: LogOptions { get }
    /// Whether the command needs many open files, because it calls a server or is a server. False for a command that needs them only for an
    /// online map, because the map raises the limit on open files itself.
    static var usesNetwork: Bool { get }
    /// Sets values for which no flag is given. Called before the command runs.
    mutating func prepare(in surroundings: Surroundings) throws
    /// Runs the command.
    /// - Throws: `Failure` with a message, or `ValidationError` for a usage error.
    func perform(in surroundings: Surroundings) async throws -> ProgramEnd
}

extension ProgramCommand {
    static var usesNetwork: Bool { false }

    mutating func prepare(in surroundings: Surroundings) throws {}
}

/// A command that uses the configuration. A flag takes precedence over the environment, and the environment over the file.
protocol ConfigurableCommand: ProgramCommand {
    associatedtype Settings: ProfileChoice
    var settings: Settings { get }
    /// Whether the command calls Fleet Engine or a provider. If so, an invalid setting that concerns the server ends the
    /// command, so that the wrong server is not called.
    static var asksServer: Bool { get }
    /// A sentence to append to the error. If it is given, every invalid setting ends the command, even one that the command does not use.
    /// If it is nil, an invalid setting ends the command only if it concerns the server and `asksServer` is true.
    var strictEnd: String? { get }
    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws
}

extension ConfigurableCommand {
    static var asksServer: Bool { true }
    var strictEnd: String? { nil }
    static var usesNetwork: Bool { true }

    mutating func prepare(in surroundings: Surroundings) throws {
        let configuration = try settings.load(in: surroundings, asksServer: Self.asksServer, strictEnd: strictEnd)
        try complete(from: configuration, in: surroundings)
    }
}
