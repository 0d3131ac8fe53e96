import ArgumentParser
import JourneySharing
import TripWatchRuntime
import TripWatchWords

/// Options for the format of the line that `status` prints, and for printing a line at each change.
struct StatusOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Format of the line, such as '{bar:17} {eta}'.", valueName: "text"))
    var format: String?

    @Flag(help: "Print a JSON object in waybar's format.")
    var waybar = false

    @Flag(help: "Print a line with tmux colours.")
    var tmux = false

    @Flag(help: "Print a line on each change until the trip ends.")
    var watch = false

    @Option(help: ArgumentHelp("Units (default: by locale).", valueName: "system"))
    var units: MeasurementSystem?

    @Option(help: ArgumentHelp("Title to show for the trip.", valueName: "text"))
    var title: String?

    func validate() throws { _ = try template() }

    /// Returns the chosen format.
    /// - Parameter isJSON: whether the output is JSON.
    func form(isJSON: Bool) throws -> StatusRun.Form {
        if let template = try template() { return .template(template) }
        if waybar { return .waybar }
        if tmux { return .tmux }
        return isJSON ? .json : .line
    }

    private func template() throws -> StatusTemplate? {
        guard let format else { return nil }
        do throws(StatusTemplate.FormatError) {
            return try StatusTemplate(format)
        } catch {
            throw ValidationError("--format: \(error).")
        }
    }
}
