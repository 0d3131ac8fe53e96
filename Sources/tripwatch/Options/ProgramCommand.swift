import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings

/// A command that runs in given surroundings.
///
/// Each command lists all its option groups, and no group contains another: in a debug build the parser checks a group four times as
/// often for each group around it.
protocol ProgramCommand: AsyncParsableCommand {
    var log: LogOptions { get }
    /// Whether the command calls servers or is one, so that it needs many open files.
    static var usesNetwork: Bool { get }
    /// Completes values that no flag sets, before the command runs.
    mutating func prepare(in surroundings: Surroundings) throws
    /// Runs the command.
    /// - Throws: `Failure` with a message, or `ValidationError` for a usage error.
    func perform(in surroundings: Surroundings) async throws -> ProgramEnd
}

extension ProgramCommand {
    static var usesNetwork: Bool { false }

    mutating func prepare(in surroundings: Surroundings) throws {}
}

/// A command with settings: flags come first, then the environment, then the file.
protocol ConfigurableCommand: ProgramCommand {
    associatedtype Settings: ProfileChoice
    var settings: Settings { get }
    /// Whether the command calls a Fleet Engine or a provider, so that an invalid setting must end it before it calls the wrong one.
    static var asksServer: Bool { get }
    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws
}

extension ConfigurableCommand {
    static var asksServer: Bool { true }
    static var usesNetwork: Bool { true }

    mutating func prepare(in surroundings: Surroundings) throws {
        try complete(from: try settings.load(in: surroundings, asksServer: Self.asksServer), in: surroundings)
    }
}
