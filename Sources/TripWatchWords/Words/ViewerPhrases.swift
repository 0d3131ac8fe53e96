package import FleetEngine

/// Phrases for a viewer of a link. A viewer is not always the rider or the customer.
extension StatusPhrases {
    /// Returns these phrases, which are for the rider or customer, in a form for a viewer of a link.
    package func forViewer(_ status: TripStatus, _ kind: TripKind) -> StatusPhrases {
        var phrases = self
        switch (kind, status) {
        case (.ride, .enrouteToPickup):
            phrases.phase = "On the way to the pickup"
            (phrases.step, phrases.narrowStep) = (phrases.phase, "To the pickup")
            phrases.spoken = "The car is on its way to the pickup."
            phrases.firstEvent = "The car is on its way to the pickup"
        case (.ride, .arrivedAtPickup):
            phrases.phase = "The car is at the pickup"
            phrases.standing = "at the pickup"
            phrases.panel = Panel(heading: "AT THE PICKUP", big: "HERE", short: "At the pickup")
            phrases.spoken = "The car is at the pickup."
        case (.ride, .enrouteToDropoff): phrases.spoken = "The car is on its way to the drop-off."
        case (.ride, .complete):
            phrases.phase = "Arrived"
            phrases.panel = Panel(heading: "ARRIVED", big: "DONE", short: "Arrived")
            phrases.spoken = "The car has arrived."
        case (.order, .enrouteToDropoff):
            func impersonal(_ text: String) -> String { text.replacing(" to you", with: "").replacing(" before yours", with: " first") }
            phrases.phase = impersonal(phase)
            phrases.step = step.map(impersonal)
            phrases.event = impersonal(event)
            phrases.spoken = "The order is on its way."
        default: phrases.spoken = spoken?.replacing("You are", with: "The car is").replacing("Your order", with: "The order")
        }
        return phrases
    }
}
