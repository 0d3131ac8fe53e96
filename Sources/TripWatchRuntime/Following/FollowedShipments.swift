import JourneySharing

/// The shipments that are followed together with trips.
struct FollowedShipments: Sendable {
    /// The models of the shipments, in the order of their pages.
    let models: [ShipmentModel]
    /// Records the state of the shipments for `list`; nil to record nothing.
    let keeper: ShipmentKeeper?
    /// Records the answers in a file; nil to record nothing.
    let recorder: ShipmentRecorder?
    /// Prints the shipments as lines if there is no screen, and returns the exit code.
    let tell: @MainActor (HookFeed?) async -> Int32
}
