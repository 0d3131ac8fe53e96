import ArgumentParser
import FleetEngine
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// What a shell offers for a word that is not finished.
extension CompletionKind {
    /// Trips that were booked or followed here.
    static let knownTrips = CompletionKind.custom { _, _, _ in
        let surroundings = Surroundings.process
        return surroundings.stateFile?.trips(now: surroundings.clock(1).now(), isLookOnly: true).trips.map(\.name.description) ?? []
    }

    /// Themes of the program and of the user.
    static let themes = CompletionKind.custom { _, _, _ in ThemesRun(in: .process).names }

    /// The same, and files that may be one.
    static let themesAndFiles = CompletionKind.custom { _, _, typed in
        let folder = typed.lastIndex(of: "/").map { typed[...$0] } ?? ""
        let files = Surroundings.process.names(in: folder.isEmpty ? "." : String(folder))
        return ThemesRun(in: .process).names + files.filter { $0.hasSuffix(".toml") }.sorted().map { folder + $0 }
    }

    /// Vehicles that the server of the command line, else of the configuration, tells of: bare ids where a provider is named.
    static let vehicles = CompletionKind.custom { words, _, _ in await VehicleOffer(words: words).texts(in: .process) }

    static let configurationKeys = CompletionKind.custom { _, _, _ in ConfigurationKey.all.map(\.name) }

    /// What the key before it may be.
    static let configurationValues = CompletionKind.custom { words, _, _ in
        let name = words.firstIndex(of: "set").flatMap { words.dropFirst($0 + 1).first { !$0.hasPrefix("-") } }
        guard let key = ConfigurationKey.all.first(where: { $0.name == name }) else { return [] }
        return key.name == "theme" ? ThemesRun(in: .process).names : key.choices
    }

    /// The words behind `man` and `help`.
    static let manualPages = CompletionKind.custom { words, place, _ in
        let path = words.firstIndex(of: "man").map { words[($0 + 1)...].prefix(max(0, place - $0 - 1)) } ?? []
        return CommandWords.below(Array(path)) + (path.isEmpty ? ["config.toml", "theme"] : [])
    }
}

/// What a shell offers for a vehicle.
private struct VehicleOffer {
    /// The command line as far as it stands, the program's name included.
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
        tokens.complete(from: configuration, in: surroundings)
        guard let provider = options.provider, let connection = try? options.connection(tokens) else { return [] }
        let ids = await VehiclesInReach(connection: connection, provider: provider).names(in: surroundings).map(\.vehicle)
        // What a shell writes on a terminal is as it is; an id that may not be shown so cannot be offered.
        return ids.filter { ForeignText.line($0, limit: .max) == $0 }
    }

    /// The options of `names` with their values, as far as they stand on the command line.
    private func said(_ names: Set<String>) -> [String] {
        zip(words, words.dropFirst()).flatMap { word, value -> [String] in
            if names.contains(word) { return [word, value] }
            return []
        } + words.filter { word in names.contains { word.hasPrefix($0 + "=") } }
    }
}
