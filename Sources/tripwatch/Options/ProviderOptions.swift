import ArgumentParser
import ProgramSurroundings
import ProviderBackend
import TripWatchOperations
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// Options for the provider's backend, which books and cancels trips.
struct ProviderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The provider's backend, which books and cancels trips.", valueName: "url"))
    var providerUrl: String?

    @Option(help: ArgumentHelp("Header for each request to the provider; may be repeated.", valueName: "name: value"))
    var providerHeader: [String] = []

    @Option(
        help: ArgumentHelp(
            "File with provider headers, one 'Name: value' per line.", valueName: "file"), completion: .file())
    var providerHeaderFile: String?

    func validate() throws {
        if let providerUrl, ProviderBackendClient.Address(providerUrl) == nil {
            throw ValidationError("--provider-url takes an address such as http://127.0.0.1:8080.")
        }
        for header in providerHeader where HeaderLine(header) == nil {
            throw ValidationError("--provider-header takes the form 'Name: value'.")
        }
    }

    mutating func complete(from configuration: Configuration) {
        guard providerUrl == nil, let url = configuration.providerURL else { return }
        // The configured headers belong to the configured address, and must not be sent to another address.
        providerUrl = url
        providerHeaderFile = providerHeaderFile ?? configuration.providerHeaderFile
    }

    /// Returns the provider client for a command that needs the provider.
    /// - Parameters:
    ///   - caFile: a file with CA certificates in PEM, in addition to the system's.
    ///   - deskKeyFile: a file with the key for the provider API of `serve`.
    func requiredClient(
        for command: String, caFile: String?, deskKeyFile: String? = nil, in surroundings: Surroundings
    ) throws -> ProviderBackendClient {
        let key = try deskKeyFile.map { ("Authorization", "Bearer " + (try DeskKeyFile(path: $0).read())) }
        SecretFile.warn(of: [deskKeyFile].compactMap { $0 }, surroundings.streams)
        if let client = try client(caFile: caFile, more: key.map { [$0] } ?? [], in: surroundings) { return client }
        throw Failure(
            message: "\(command) needs the provider's address: give --provider-url, or set provider_url in the configuration file.",
            exitCode: ExitCodes.usage)
    }

    /// Returns the provider client; nil if no address is set.
    /// - Parameter more: headers to send in addition to those of the options.
    /// - Throws: `ValidationError` for headers without an address.
    func client(caFile: String?, more: [(name: String, value: String)] = [], in surroundings: Surroundings) throws -> ProviderBackendClient?
    {
        guard let providerUrl, let address = ProviderBackendClient.Address(providerUrl) else {
            if !providerHeader.isEmpty || providerHeaderFile != nil {
                throw ValidationError(
                    "\(providerHeader.isEmpty ? "--provider-header-file" : "--provider-header") needs --provider-url.")
            }
            return nil
        }
        return ProviderBackendClient.make(
            address: address, headers: more + providerHeader.compactMap { HeaderLine($0).map { ($0.name, $0.value) } },
            headerFile: providerHeaderFile, caFile: caFile, in: surroundings)
    }
}
