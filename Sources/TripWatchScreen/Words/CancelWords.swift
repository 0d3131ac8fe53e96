package import FleetEngine
import JourneySharing
import TerminalCanvas
import TripWatchWords

/// Texts for the question before a trip is cancelled, and for the result of the cancellation.
struct CancelWords {
    /// A text in several variants, the longest first.
    private struct Text {
        let variants: [String]

        init(_ variants: String...) { self.variants = variants }
        init(_ variants: [String]) { self.variants = variants }

        var whole: String { variants.first ?? "" }

        /// Returns the longest variant that fits one line.
        func fitting(_ columns: Int) -> String? { variants.first { displayWidth($0) <= columns } }
    }

    private let heading: Text
    private let loss: Text
    private let cost: Text
    /// The title, including the fee.
    private var question = Text()

    init(_ step: CancelDialog.Step, _ state: AppState) {
        let subject = state.subject
        switch step {
        case .asking:
            heading = Text("Cancel this \(subject)?")
            loss = Self.loss(state)
            cost = Text("The provider may charge a fee.", "There may be a fee.")
            question = Text("Cancel this \(subject)? There may be a fee.", "Cancel? There may be a fee.", "Cancel? Maybe a fee.")
        case .sending:
            heading = Text("Asking the provider to cancel …", "Asking to cancel …")
            (loss, cost) = (Self.loss(state), Text())
        case .failed(let reason):
            heading = Text("The \(subject) was not cancelled.", "Not cancelled.")
            (loss, cost) = (Text(reason), Text("The \(subject) continues as before.", "The \(subject) continues."))
        case .unknown(let reason):
            heading = Text("The \(subject) may have been cancelled.", "Maybe cancelled.")
            (loss, cost) = (Text(reason), Text("Checking with the server …", "Asking the server …"))
        }
    }

    var title: String { heading.whole }
    /// Says what the user loses, such as a nearby car. If the cancellation failed, or its result is unclear, gives the reason for that
    /// instead.
    var consequence: String { loss.whole }
    var price: String { cost.whole }

    /// Returns the whole text in at most `rows` lines, shortened if there is little room. If no line is left for the fee, a title that
    /// mentions the fee is used, if one fits.
    func lines(columns: Int, rows: Int) -> [String] {
        let texts = [heading, loss, cost].filter { !$0.whole.isEmpty }
        let roomy = texts.flatMap { text in text.fitting(columns).map { [$0] } ?? wrapped(text.whole, columns: max(1, columns)) }
        if roomy.count <= rows { return roomy }
        let short = texts.map { $0.fitting(columns) ?? wholeWords($0.variants.last ?? "", columns: columns) }
        if short.count > rows, let question = question.fitting(columns) { return Array(([question] + short.dropFirst()).prefix(rows)) }
        return Array(short.prefix(rows))
    }

    private static func loss(_ state: AppState) -> Text {
        guard let page = state.page, let trip = page.trip else { return Text() }
        if trip.vehicleID == nil {
            let vehicle = page.kind.vehicle
            return Text("No \(vehicle) is assigned yet.", "No \(vehicle) assigned yet.")
        }
        let meters = page.journey.estimate?.remainingMeters
        let away = meters.map { " (\(state.distanceLeft($0)))" } ?? ""
        if let givenUp = page.phrases.givenUp {
            let isRiding = !trip.status.isBeforePickup && trip.status != .unknown && page.kind != .order
            let rest = isRiding ? meters.map(state.distance) : nil
            let short = givenUp.firstRange(of: " and ").map { givenUp[..<$0.lowerBound] } ?? givenUp[...]
            return Text((rest.map { ["\(givenUp), with \($0) to go."] } ?? []) + ["\(givenUp).", "\(short)."])
        }
        // If the data are not live, the text gives the remaining time at the moment of the last answer.
        let eta = page.etaText(now: page.journey.isLive ? state.now : page.journey.lastAnswerAt ?? state.now)
        let vehicle = page.kind.vehicle
        let short = page.kind.vehicleTitle
        let isNow = page.journey.isLive ? "is" : "was"
        switch eta.value {
        case .unknown:
            return Text("Your \(vehicle) is on its way\(away).", "Your \(vehicle) is on its way.", "\(short) is on its way.")
        case .arriving, .overdue:
            let coming = eta.value == .overdue && page.journey.isLive ? "due about now" : "about to arrive"
            let end = "\(isNow) \(coming)"
            return Text(
                "Your \(vehicle) \(end)\(away).", "Your \(vehicle) \(end).",
                page.journey.isLive ? "\(short) \(coming)." : "\(short) \(end).")
        default:
            let end = "\(isNow) \(eta.text) away"
            return Text(
                "Your \(vehicle) \(end)\(away).", "Your \(vehicle) \(end).", "\(short) \(end).", "\(eta.text) away", eta.text)
        }
    }
}

extension AppState {
    /// The word for the page in front: trip or order.
    var subject: String { (page?.kind ?? .ride).subject }

    /// The sentences about a cancellation that was under way when the screen ended, to print after the screen has closed.
    /// - Parameter result: the provider's answer; nil if it has not arrived.
    package func lastCancelWords(_ result: CancelResult?, for name: TripName) -> String {
        let kind = pages.first { $0.name == name }?.kind ?? .ride
        let trip = "\(kind.subject) \(sanitised(name.trip, maximumLength: 120))"
        func reason(_ text: String) -> String { sanitised(text, maximumLength: 400) }
        let advice = "To make sure that it is cancelled, run 'tripwatch cancel \(sanitised(name.description, maximumLength: 400))'."
        return switch result {
        case .canceled: "The \(trip) was cancelled."
        case .failed(let text): "The \(trip) was not cancelled: \(reason(text))"
        case .unknown(let text): "It is not known whether the \(trip) was cancelled: \(reason(text)) \(advice)"
        case nil: "It is not known whether the \(trip) was cancelled: the provider has not answered. \(advice)"
        }
    }
}
