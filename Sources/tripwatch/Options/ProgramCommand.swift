import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings

/// A command that does something, in the surroundings that it is given.
///
/// It lists all its option groups itself. No group holds another: in a debug build the parser checks a group four times as often for each
/// group around it.
protocol ProgramCommand: AsyncParsableCommand {
    var log: LogOptions { get }
    /// Takes over what the flags leave open, before anything is done.
    mutating func prepare(in surroundings: Surroundings) throws
    /// - Throws: `Failure` in words, or `ValidationError` for a usage error.
    func perform(in surroundings: Surroundings) async throws -> ProgramEnd
}

extension ProgramCommand {
    mutating func prepare(in surroundings: Surroundings) throws {}
}

/// A command that the configuration has a say in: what no flag says, the environment says, else the file.
protocol ConfigurableCommand: ProgramCommand {
    associatedtype Settings: ProfileChoice
    var settings: Settings { get }
    /// Whether it calls a Fleet Engine or a provider, so that no wrong setting may lead it to another one.
    static var asksServer: Bool { get }
    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws
}

extension ConfigurableCommand {
    static var asksServer: Bool { true }

    mutating func prepare(in surroundings: Surroundings) throws {
        try complete(from: try settings.load(in: surroundings, asksServer: Self.asksServer), in: surroundings)
    }
}
