import ArgumentParser
import TripWatchApp
import TripWatchRuntime

struct ListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The trips that were booked or followed on this machine.",
        discussion: """
            Those of the last 7 days, newest first, as they were seen last: name, title, status, arrival, when that was. No server is asked. \
            With --json: an array of name, title, status, eta, last_seen, endpoint and provider. 'follow' without a TRIP takes the newest that is not over.
            """)

    @OptionGroup var form: FormOptions

    @OptionGroup var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd { ListRun(isJSON: form.isJSON).perform(in: surroundings) }
}
