import ArgumentParser
import FleetEngine
import HTTPServing
import ProgramSurroundings
import TripWatchRuntime

/// Options for the addresses and the database of a server.
struct ServePlaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Address to listen on.", valueName: "address"))
    var listen = "127.0.0.1"

    @Option(help: ArgumentHelp("gRPC port; 0 means any free port. (default: 50051, or 0 if a command is run)", valueName: "port"))
    var grpcPort: Int?

    @Option(help: ArgumentHelp("HTTP port; 0 means any free port. (default: 8080, or 0 if a command is run)", valueName: "port"))
    var httpPort: Int?

    @Option(help: ArgumentHelp("File for trips, vehicles and deliveries. (default: in memory)", valueName: "file"), completion: .file())
    var database: String?

    /// Whether only this machine can reach the server.
    var isLoopback: Bool { LoopbackHost.contains(listen) }

    func validate() throws {
        guard (0...65_535).contains(grpcPort ?? 0) else { throw ValidationError("--grpc-port must be a number from 0 to 65535.") }
        guard (0...65_535).contains(httpPort ?? 0) else { throw ValidationError("--http-port must be a number from 0 to 65535.") }
        guard database != "" else { throw ValidationError("--database takes a file, or :memory:.") }
        guard ServerAddress.isListenable(listen) else {
            throw ValidationError("--listen takes an IP address of this machine, or localhost, not \(printable(listen)).")
        }
    }
}
