import ArgumentParser

/// The program: parses arguments and hands over to a command.
@main
struct Tripwatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tripwatch",
        abstract: "Follow a trip in the terminal: the car, its route, the arrival time.",
        discussion: """
            A TRIP is providers/PROVIDER/trips/TRIP, or just TRIP with --provider.
            Exit codes: 0 complete or quit, 1 failed, 2 trip cancelled, 3 no such trip, 4 not allowed, 64 usage, 128+n by signal.
            """,
        version: Version.text,
        subcommands: [
            DemoCommand.self, FollowCommand.self, BookCommand.self, CancelCommand.self, StatusCommand.self, WaitCommand.self,
            ReplayCommand.self,
            MapCommand.self, ServeCommand.self, DriveCommand.self, TokenCommand.self, ConfigCommand.self,
        ])
}

enum Version {
    static let text = "0.1.0"
}
