public import ArgumentParser
public import FleetEngine
import ProgramSurroundings
import ProviderBackend
import TripWatchRuntime
import TripWatchSettings

/// The option for the certificates of the token address, for a command that calls no other server.
struct TokenCertificateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("CA certificates in PEM for the token address, in addition to the system's.", valueName: "file"))
    var ca: String?
}

/// Options for the source of access tokens.
struct TokenOptions: ParsableArguments {
    @Option(help: ArgumentHelp("File with the access token; or set TRIPWATCH_TOKEN.", valueName: "file"), completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Command that prints the token; gets the id in TRIPWATCH_TRIP_ID, TRIPWATCH_TRACKING_ID or TRIPWATCH_VEHICLE_ID.",
            valueName: "command"))
    var tokenCommand: String?

    @Option(help: ArgumentHelp("Address that returns tokens; may contain {tripID}, {trackingID} or {vehicleID}.", valueName: "url"))
    var tokenUrl: String?

    @Option(help: ArgumentHelp("Header for the token address; may be repeated.", valueName: "name: value"))
    var tokenHeader: [String] = []

    @Option(
        help: ArgumentHelp(
            "File with headers for the token address, one 'Name: value' per line.", valueName: "file"), completion: .file())
    var tokenHeaderFile: String?

    @Option(help: ArgumentHelp("Name of the JSON member that holds the token.", valueName: "name"))
    var tokenKey = TokenAnswerFormat().tokenKey

    @Option(help: ArgumentHelp("Name of the JSON member that holds the expiry.", valueName: "name"))
    var tokenExpiryKey = TokenAnswerFormat().expiryKey ?? ""

    @Option(
        help: ArgumentHelp(
            "Unit of the expiry: (milli)seconds since 1970, or seconds from now ('relative'); 'auto' guesses.", valueName: "unit"))
    var tokenExpiry = TokenAnswerFormat.Expiry.guessed

    func validate() throws {
        guard [tokenFile, tokenCommand, tokenUrl].count(where: { $0 != nil }) <= 1 else {
            throw ValidationError("give only one of --token-file, --token-command and --token-url.")
        }
        for header in tokenHeader where HeaderLine(header) == nil { throw ValidationError("--token-header takes the form 'Name: value'.") }
        _ = try url()
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        guard !isSaid(in: surroundings) else {
            if !hasSource { forgetAnswer() }
            return
        }
        switch configuration.tokenSource {
        case .file(let path): tokenFile = path
        case .command(let command): tokenCommand = command
        case .address(let address):
            tokenUrl = address
            tokenHeaderFile = tokenHeaderFile ?? configuration.tokenHeaderFile
        case nil: break
        }
    }

    /// Removes the values that were taken from the configuration.
    mutating func forget(_ configuration: Configuration) {
        switch configuration.tokenSource {
        case .file(let path) where tokenFile == path: tokenFile = nil
        case .command(let command) where tokenCommand == command: tokenCommand = nil
        case .address(let address) where tokenUrl == address: tokenUrl = nil
        default: return
        }
        forgetAnswer()
    }

    /// Resets the options that only describe a token source. Called when the configured source is not used.
    mutating func forgetAnswer() {
        let format = TokenAnswerFormat()
        (tokenHeader, tokenHeaderFile) = ([], nil)
        tokenKey = format.tokenKey
        tokenExpiryKey = format.expiryKey ?? ""
        tokenExpiry = format.expiry
    }

    private var hasSource: Bool { [tokenFile, tokenCommand, tokenUrl].contains { $0 != nil } }

    /// Returns whether a flag or the environment specifies a token source.
    func isSaid(in surroundings: Surroundings) -> Bool {
        hasSource || surroundings.environment["TRIPWATCH_TOKEN"]?.isEmpty == false
    }

    /// Returns the settings of the chosen source.
    /// - Throws: `ValidationError` for flags that cannot be combined.
    func settings() throws -> TokenSettings {
        let source = try self.source()
        var format = TokenAnswerFormat()
        let isStandard = tokenKey == format.tokenKey && tokenExpiryKey == format.expiryKey ?? "" && tokenExpiry == format.expiry
        guard source != nil || isStandard else {
            throw ValidationError(
                "--token-key, --token-expiry-key and --token-expiry need --token-file, --token-command or --token-url.")
        }
        format.tokenKey = tokenKey
        format.expiryKey = tokenExpiryKey.isEmpty ? nil : tokenExpiryKey
        format.expiry = tokenExpiry
        return TokenSettings(source: source, format: format)
    }

    private func source() throws -> TokenSettings.Source? {
        guard tokenUrl != nil || tokenHeader.isEmpty && tokenHeaderFile == nil else {
            throw ValidationError("\(tokenHeader.isEmpty ? "--token-header-file" : "--token-header") needs --token-url.")
        }
        if let tokenFile { return .file(tokenFile) }
        if let tokenCommand { return .command(tokenCommand) }
        if let url = try url() {
            return .address(
                url, headers: tokenHeader.compactMap { HeaderLine($0).map { ($0.name, $0.value) } }, headerFile: tokenHeaderFile)
        }
        return nil
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
