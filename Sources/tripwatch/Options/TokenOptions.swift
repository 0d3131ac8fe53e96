public import ArgumentParser
public import FleetEngine
import FoundationEssentials
import ProviderBackend
import TripWatchApp

/// Where access tokens come from.
struct TokenOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Access token in a file, read again when it changes. Or set TRIPWATCH_TOKEN.", valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Access token from a command, as its last line or as JSON. It finds TRIPWATCH_TRIP_ID and TRIPWATCH_VEHICLE_ID set.",
            valueName: "command"))
    var tokenCommand: String?

    @Option(help: ArgumentHelp("Access token from an address with {tripID} or {vehicleID} in it.", valueName: "url"))
    var tokenUrl: String?

    @Option(help: ArgumentHelp("Sent to the token address; may be given several times.", valueName: "name: value"))
    var tokenHeader: [String] = []

    @Option(help: ArgumentHelp("Member of a JSON answer that holds the token.", valueName: "name"))
    var tokenKey = TokenAnswerFormat().tokenKey

    @Option(help: ArgumentHelp("Member that holds the token's expiry.", valueName: "name"))
    var tokenExpiryKey = TokenAnswerFormat().expiryKey ?? ""

    @Option(help: ArgumentHelp("What the expiry counts: auto, seconds or milliseconds since 1970, or relative seconds.", valueName: "unit"))
    var tokenExpiry = TokenAnswerFormat.Expiry.guessed

    func validate() throws {
        guard [tokenFile, tokenCommand, tokenUrl].count(where: { $0 != nil }) <= 1 else {
            throw ValidationError("take one of --token-file, --token-command and --token-url.")
        }
        if tokenUrl == nil, !tokenHeader.isEmpty { throw ValidationError("--token-header goes with --token-url.") }
        for header in tokenHeader where HeaderLine(header) == nil { throw ValidationError("--token-header has the form 'Name: value'.") }
        _ = try url()
    }

    mutating func complete(from configuration: Configuration) {
        let isSaid = [tokenFile, tokenCommand, tokenUrl].contains { $0 != nil }
        guard !isSaid, ProcessInfo.processInfo.environment["TRIPWATCH_TOKEN"].map(\.isEmpty) ?? true else { return }
        switch configuration.tokenSource {
        case .file(let path): tokenFile = path
        case .command(let command): tokenCommand = command
        case .address(let address): tokenUrl = address
        case nil: break
        }
    }

    /// The token source: file, command or address, else the environment; nil sends no token.
    func provider() throws -> (any AccessTokenProvider)? {
        var format = TokenAnswerFormat()
        (format.tokenKey, format.expiryKey, format.expiry) = (tokenKey, tokenExpiryKey.isEmpty ? nil : tokenExpiryKey, tokenExpiry)
        if let tokenFile { return FileAccessToken(path: tokenFile, format: format) }
        if let tokenCommand { return CommandAccessToken(tokenCommand, format: format) }
        if let url = try url() {
            return URLAccessToken(url, headers: tokenHeader.compactMap { HeaderLine($0)?.pair }, format: format)
        }
        do throws(AccessTokenError) {
            return try FixedAccessToken(environment: ProcessInfo.processInfo.environment)
        } catch {
            throw Failure(message: "\(error).", exitCode: ExitCodes.notAllowed).end()
        }
    }

    private func url() throws -> TokenURL? {
        guard let tokenUrl else { return nil }
        do throws(TokenURLError) {
            return try TokenURL(tokenUrl)
        } catch {
            throw ValidationError("--token-url: \(error).")
        }
    }
}

extension TokenAnswerFormat.Expiry: ExpressibleByArgument {}

/// `Name: value`, as it goes into an HTTP request.
struct HeaderLine {
    let pair: (name: String, value: String)

    /// Nil for what could not stand in a request.
    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let value = parts[1].drop { $0 == " " }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        pair = (String(parts[0]), String(value))
    }
}
