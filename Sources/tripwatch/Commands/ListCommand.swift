import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime

struct ListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List recent trips.",
        discussion: """
            Lists the trips and shipments booked or followed on this machine in the last 7 days, newest first: name, title, status, \
            arrival, time last seen, server. No server is called. With --json: an array of objects with name, title, \
            status, eta, last_seen, endpoint and provider. 'follow' without a TRIP takes the newest unfinished trip or shipment.
            """)

    @OptionGroup(title: HelpSection.common) var choice: ListOptions
    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func validate() throws {
        guard choice.forget == nil || !(choice.rides || form.isJSON) else {
            throw ValidationError("--forget cannot be combined with --rides or --json.")
        }
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var run = ListRun(isJSON: form.isJSON)
        run.showsRides = choice.rides
        run.forgotten = choice.forget
        return try run.perform(in: surroundings)
    }
}
