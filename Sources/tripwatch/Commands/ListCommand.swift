import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime

struct ListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The trips that were booked or followed on this machine.",
        discussion: """
            Those of the last 7 days, newest first, as they were seen last: name, title, status, arrival, when that was, server. No server is asked. \
            With --json: an array of name, title, status, eta, last_seen, endpoint and provider. \
            'follow' without a TRIP takes the newest that is not over.
            """)

    @OptionGroup(title: HelpSection.common) var choice: ListOptions
    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func validate() throws {
        guard choice.forget == nil || !(choice.rides || form.isJSON) else { throw ValidationError("--forget goes with no other option.") }
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var run = ListRun(isJSON: form.isJSON)
        run.showsRides = choice.rides
        run.forgotten = choice.forget
        return try run.perform(in: surroundings)
    }
}
