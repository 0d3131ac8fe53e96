import ArgumentParser
import FleetEngine
import ProgramSurroundings
import TripWatchLinks
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// Completions that the shell offers for an unfinished word.
extension CompletionKind {
    /// The names of trips that were booked or followed on this machine.
    static let knownTrips = CompletionKind.custom { _, _, _ in TripOffer.trips(in: .process) }

    /// After `share end`, the links that this machine serves. After `share`, the names of known trips. One completion serves both,
    /// because the shells treat the word `end` as the argument TRIP of `share`.
    static let linksOrKnownTrips = CompletionKind.custom { words, _, _ in TripOffer.afterShare(words, in: .process) }

    /// The names of shipments that were followed on this machine.
    static let knownShipments = CompletionKind.custom { _, _, _ in
        let surroundings = Surroundings.process
        return surroundings.stateFile?.trips(now: surroundings.clock(1).now(), isLookOnly: true).shipments.map(\.name.description) ?? []
    }

    /// The names of the built-in themes and of the user's themes.
    static let themes = CompletionKind.custom { _, _, _ in ThemesRun(in: .process).names }

    /// The names of themes, and the paths of files that may be themes.
    static let themesAndFiles = CompletionKind.custom { _, _, typed in
        let folder = typed.lastIndex(of: "/").map { typed[...$0] } ?? ""
        let files = Surroundings.process.names(in: folder.isEmpty ? "." : String(folder))
        return ThemesRun(in: .process).names + files.filter { $0.hasSuffix(".toml") }.sorted().map { folder + $0 }
    }

    /// The bare ids of the vehicles on the server. Server and provider come from the command line or the configuration.
    static let vehicles = CompletionKind.custom { words, _, _ in await VehicleOffer(words: words).texts(in: .process) }

    /// The profiles of the configuration file, and the built-in profile.
    static let profiles = CompletionKind.custom { _, _, _ in
        let names = Configuration.profileNames(utf8: (try? Surroundings.process.configurationFile?.bytes()) ?? [])
        return names.contains(Configuration.localProfile) ? names : names + [Configuration.localProfile]
    }

    static let configurationKeys = CompletionKind.custom { _, _, _ in ConfigurationKey.all.map(\.name) }

    /// The allowed values of the configuration key that precedes the unfinished word.
    static let configurationValues = CompletionKind.custom { words, _, _ in
        let name = words.firstIndex(of: "set").flatMap { words.dropFirst($0 + 1).first { !$0.hasPrefix("-") } }
        guard let key = ConfigurationKey.all.first(where: { $0.name == name }) else { return [] }
        return key.name == "theme" ? ThemesRun(in: .process).names : key.choices
    }

    /// The words that can follow `man` and `help`.
    static let manualPages = CompletionKind.custom { words, place, _ in
        let path = words.firstIndex(of: "man").map { words[($0 + 1)...].prefix(max(0, place - $0 - 1)) } ?? []
        return CommandWords.below(Array(path)) + (path.isEmpty ? ["config.toml", "theme"] : [])
    }
}

/// Finds the completions for the name of a trip.
private enum TripOffer {
    static func trips(in surroundings: Surroundings) -> [String] {
        surroundings.stateFile?.trips(now: surroundings.clock(1).now(), isLookOnly: true).trips.map(\.name.description) ?? []
    }

    /// - Parameter words: the words of the unfinished command line, including the program's name.
    static func afterShare(_ words: [String], in surroundings: Surroundings) -> [String] {
        let first = words.drop { $0 != "share" }.dropFirst().dropLast().first
        if first == "end" { return ShareControlRun.links(in: surroundings) }
        return first == "list" ? [] : trips(in: surroundings)
    }
}

/// Finds the completions for the name of a vehicle.
private struct VehicleOffer {
    /// The words of the unfinished command line, including the program's name.
    let words: [String]

    func texts(in surroundings: Surroundings) async -> [String] {
        let flags = words.filter { ["--plaintext", "--no-plaintext"].contains($0) }
        guard let settings = try? ConfigurationOptions.parse(said(["--profile", "-p"]) + words.filter { $0 == "--local" }),
            var options = try? ConnectionOptions.parse(said(["--endpoint", "--ca", "--provider"]) + flags),
            var tokens = try? TokenOptions.parse(said(["--token-file"])),
            let (configuration, messages) = try? surroundings.configuration(profile: settings.chosen),
            !messages.contains(where: \.endsCommands)
        else { return [] }
        options.complete(from: configuration)
        tokens.complete(
            from: configuration.keepsToken(from: options.endpoint) ? configuration.withoutToken : configuration, in: surroundings)
        guard let provider = options.provider, let connection = try? options.connection(tokens) else { return [] }
        let ids = await VehiclesInReach(connection: connection, provider: provider).names(in: surroundings).map(\.vehicle)
        // The shell prints completions without escaping them, so an id with control characters is left out.
        return ids.filter { ForeignText.line($0, limit: .max) == $0 }
    }

    /// Returns those options in `names` that are on the command line, with their values.
    private func said(_ names: Set<String>) -> [String] {
        zip(words, words.dropFirst()).flatMap { word, value -> [String] in
            if names.contains(word) { return [word, value] }
            return []
        } + words.filter { word in names.contains { word.hasPrefix($0 + "=") } }
    }
}
