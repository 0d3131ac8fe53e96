import ArgumentParser
import FleetEngine
import TripWatchApp
import TripWatchRuntime

/// What a shell offers for a word that is not finished.
extension CompletionKind {
    /// Trips that were booked or followed here.
    static let knownTrips = CompletionKind.custom { _, _, _ in
        let surroundings = Surroundings.process
        return surroundings.stateFile?.trips(now: surroundings.clock(1).now()).trips.map(\.name.description) ?? []
    }

    /// Themes of the program and of the user.
    static let themes = CompletionKind.custom { _, _, _ in ThemesRun(in: .process).names }

    /// Vehicles that the server of the command line, else of the configuration, tells of: bare ids where a provider is named.
    static let vehicles = CompletionKind.custom { words, _, _ in await VehicleOffer(words: words).texts(in: .process) }
}

/// What a shell offers for a vehicle.
private struct VehicleOffer {
    /// The command line as far as it stands, the program's name included.
    let words: [String]

    func texts(in surroundings: Surroundings) async -> [String] {
        let flags = words.filter { ["--plaintext", "--no-plaintext"].contains($0) }
        guard let settings = try? ConfigurationOptions.parse(said(["--profile"])),
            var options = try? ConnectionOptions.parse(said(["--endpoint", "--ca", "--provider", "--token-file"]) + flags),
            let (configuration, _) = try? surroundings.configuration(profile: settings.profile)
        else { return [] }
        options.complete(from: configuration, in: surroundings)
        guard let provider = options.provider, let connection = try? options.connection() else { return [] }
        return await VehiclesInReach(connection: connection, provider: provider).names(in: surroundings).map(\.vehicle)
    }

    /// The options of `names` with their values, as far as they stand on the command line.
    private func said(_ names: Set<String>) -> [String] {
        zip(words, words.dropFirst()).flatMap { word, value -> [String] in
            if names.contains(word) { return [word, value] }
            return []
        } + words.filter { word in names.contains { word.hasPrefix($0 + "=") } }
    }
}
