import ArgumentParser
import ProgramSurroundings
import ProviderBackend
import TripWatchOperations
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// The ride company's back end: where trips are booked and cancelled.
struct ProviderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The provider's back end, where trips are booked and cancelled.", valueName: "url"))
    var providerUrl: String?

    @Option(help: ArgumentHelp("Sent to the provider with every request; may be given several times.", valueName: "name: value"))
    var providerHeader: [String] = []

    @Option(
        help: ArgumentHelp(
            "More of them, from a file with a line 'Name: value' each, so that no list of processes shows them.", valueName: "file"))
    var providerHeaderFile: String?

    func validate() throws {
        if let providerUrl, ProviderBackendClient.Address(providerUrl) == nil {
            throw ValidationError("--provider-url is an address such as http://127.0.0.1:8080.")
        }
        for header in providerHeader where HeaderLine(header) == nil {
            throw ValidationError("--provider-header has the form 'Name: value'.")
        }
    }

    mutating func complete(from configuration: Configuration) {
        guard providerUrl == nil else { return }
        // What the file has to say to its own address is not for another one.
        providerUrl = configuration.providerURL
        providerHeaderFile = providerHeaderFile ?? configuration.providerHeaderFile
    }

    /// The client of a command that cannot do without; ends it where there is no address.
    /// - Parameters:
    ///   - caFile: certificates in PEM that are trusted besides the system's.
    ///   - deskKeyFile: holds the key that the desk of `serve` is asked with.
    func requiredClient(
        for command: String, caFile: String?, deskKeyFile: String? = nil, in surroundings: Surroundings
    ) throws -> ProviderBackendClient {
        let key = try deskKeyFile.map { ("Authorization", "Bearer " + (try DeskKeyFile(path: $0).read())) }
        if let client = try client(caFile: caFile, more: key.map { [$0] } ?? [], in: surroundings) { return client }
        throw Failure(
            message: "\(command) needs the provider's address: --provider-url, or provider_url in the configuration file.",
            exitCode: ExitCodes.usage)
    }

    /// Nil without an address.
    /// - Parameter more: headers besides those of the options.
    func client(caFile: String?, more: [(name: String, value: String)] = [], in surroundings: Surroundings) throws -> ProviderBackendClient?
    {
        guard let providerUrl, let address = ProviderBackendClient.Address(providerUrl) else {
            if !providerHeader.isEmpty || providerHeaderFile != nil {
                throw ValidationError(
                    "\(providerHeader.isEmpty ? "--provider-header-file" : "--provider-header") goes with --provider-url.")
            }
            return nil
        }
        return ProviderBackendClient.make(
            address: address, headers: more + providerHeader.compactMap { HeaderLine($0).map { ($0.name, $0.value) } },
            headerFile: providerHeaderFile, caFile: caFile, in: surroundings)
    }
}
