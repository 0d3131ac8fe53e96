import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings

/// The subcommands of `map`. They cannot be declared as subcommands of `map` itself, because the parser takes every word after
/// `map` as a place.
struct MapControlCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "tripwatch map", subcommands: [MapCacheCommand.self])
}

struct MapCacheCommand: ConfigurableCommand {
    static let asksServer = false
    static let usesNetwork = false

    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Print the size of the map tile cache.",
        discussion: "Prints the number of bytes, tiles, hits (tiles not downloaded again) and misses.",
        subcommands: [MapCacheClearCommand.self])

    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.map) var map: BaseMapOptions

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) { map.complete(from: configuration) }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        await MapCacheRun(map: map.settings).tell(asJSON: form.isJSON, in: surroundings)
    }
}

struct MapCacheClearCommand: ConfigurableCommand {
    static let asksServer = false
    static let usesNetwork = false

    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Delete the cached map tiles.",
        discussion: "Takes the options of 'tripwatch map cache'.")

    /// The parent command. The parser gives all options to it, wherever they are on the command line.
    @ParentCommand var cache: MapCacheCommand

    var settings: ConfigurationOptions { cache.settings }
    var log: LogOptions { cache.log }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws {
        cache.map.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        await MapCacheRun(map: cache.map.settings).clear(in: surroundings)
    }
}
