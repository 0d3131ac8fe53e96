import FleetEngine

/// Phrases for the statuses of an order.
///
/// Only the final statuses have a `panel`. For other statuses, the screen shows the countdown to the drop-off.
extension StatusPhrases {
    /// - Parameters:
    ///   - number: number of the intermediate stop, from 1.
    ///   - count: number of intermediate stops.
    ///   - deliveriesBefore: number of deliveries to other customers before this order's delivery.
    static func order(_ status: TripStatus, stop number: Int, of count: Int, hasVehicle: Bool, deliveriesBefore: Int) -> StatusPhrases {
        let stop = "stop \(number)" + (number <= count ? " of \(count)" : "")
        return switch status {
        case .unknown: orderUnknown
        case .new: hasVehicle ? courierAssigned : lookingForCourier
        case .enrouteToPickup: goingToShop
        case .arrivedAtPickup: atShop
        case .enrouteToIntermediateDestination: goingTo(stop, short: "stop \(number)")
        case .arrivedAtIntermediateDestination: waitingAt(stop, short: "stop \(number)")
        case .enrouteToDropoff: onItsWay(deliveriesBefore)
        case .complete: delivered
        case .canceled: orderCancelled
        }
    }

    private static let onWay = "Your order is already on its way"

    private static let orderUnknown = StatusPhrases(
        phase: "Status not known", givenUp: "The order's status is not known",
        event: "The server does not report the order's status", style: .unknown)

    private static let lookingForCourier = StatusPhrases(
        phase: "Looking for a courier", brief: "no courier yet", step: "Looking for a courier", narrowStep: "No courier yet",
        event: "The order is no longer under way", firstEvent: "Order created",
        line: Line(word: "new", text: "looking for a courier"), spoken: "Looking for a courier.", style: .looking)

    private static let courierAssigned = StatusPhrases(
        phase: "Courier assigned", brief: "assigned", step: "Courier assigned", givenUp: "A courier is assigned",
        event: "The order is no longer under way", firstEvent: "Order created", spoken: "A courier is assigned.", style: .enroute)

    private static let goingToShop = StatusPhrases(
        phase: "Going to the shop", brief: "to the shop", step: "Going to the shop", givenUp: "The courier is going to the shop",
        event: "Going to the shop", line: Line(word: "to the shop"), spoken: "The courier is going to the shop.", style: .enroute,
        toward: .dropoff)

    private static let atShop = StatusPhrases(
        phase: "At the shop", brief: "at the shop", step: "At the shop", givenUp: "The courier is already at the shop",
        event: "At the shop", line: Line(word: "at the shop"), spoken: "The courier is at the shop.", style: .enroute, toward: .dropoff)

    private static func goingTo(_ stop: String, short: String) -> StatusPhrases {
        StatusPhrases(
            phase: "Going to \(stop) first", brief: "to \(short)", step: "Going to \(stop) first", narrowStep: "To \(short)",
            givenUp: onWay, event: "Going to \(stop) first", line: Line(word: "to \(short)"),
            spoken: "The courier is going to \(stop) first.", style: .riding, toward: .dropoff)
    }

    private static func waitingAt(_ stop: String, short: String) -> StatusPhrases {
        StatusPhrases(
            phase: "At \(stop)", brief: "at \(short)", step: "At \(stop)", givenUp: onWay, event: "At \(stop)",
            line: Line(word: "at \(short)"), spoken: "The courier is at \(stop).", style: .riding, toward: .dropoff)
    }

    private static func onItsWay(_ deliveriesBefore: Int) -> StatusPhrases {
        let isNext = deliveriesBefore <= 0
        let phase = isNext ? "On its way to you" : "On its way, \(TripKind.order.stopsBefore(deliveriesBefore))"
        return StatusPhrases(
            phase: phase, brief: "on its way", step: phase, narrowStep: isNext ? nil : "On its way", givenUp: onWay, event: phase,
            line: Line(word: "on its way"), spoken: "Your order is on its way to you.", style: .riding, toward: .dropoff)
    }

    private static let delivered = StatusPhrases(
        phase: "Delivered", standing: "delivered", panel: Panel(heading: "ORDER DELIVERED", big: "DONE", short: "Delivered"),
        corner: "order delivered", givenUp: onWay, event: "Order delivered", line: Line(word: "complete", text: "delivered"),
        spoken: "Your order was delivered.", style: .complete)

    private static let orderCancelled = StatusPhrases(
        phase: "Order cancelled", standing: "cancelled", panel: Panel(heading: "ORDER CANCELLED", short: "Cancelled"),
        corner: "order cancelled", givenUp: onWay, event: "Order cancelled",
        line: Line(word: "cancelled", text: "the order was cancelled"), spoken: "The order was cancelled.", style: .cancelled)
}
