import ArgumentParser

/// Options for the ride and the speed of the demo.
struct DemoOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Speed of the demo: 2 is twice as fast.", valueName: "n"))
    var speed = 1.0

    @Option(help: ArgumentHelp("Which ride to show: 1, 2, 3 and so on.", valueName: "ride"))
    var seed: UInt64 = 1

    @Flag(help: "Show an order that a courier delivers from a shop.")
    var order = false

    @Flag(help: "Show a parcel that a van delivers on its round.")
    var parcel = false

    @Option(help: ArgumentHelp("gRPC port; 0 chooses a free one.", valueName: "port"))
    var grpcPort = 0

    @Option(help: ArgumentHelp("Record the demo in a new file for 'replay'.", valueName: "file"), completion: .file())
    var record: String?

    func validate() throws {
        guard speed.isFinite, (0.1...1_000).contains(speed) else { throw ValidationError("--speed must be a number from 0.1 to 1000.") }
        guard seed > 0 else { throw ValidationError("--seed must be 1 or more.") }
        guard !(order && parcel) else { throw ValidationError("--order and --parcel cannot be combined: give only one of them.") }
        guard (0...65_535).contains(grpcPort) else { throw ValidationError("--grpc-port must be a number from 0 to 65535.") }
    }
}
