import JourneySharing

/// The shipments that a screen of trips shows beside them.
struct FollowedShipments: Sendable {
    /// Their models, in the order of their pages.
    let models: [ShipmentModel]
    /// Records their state for `list`; nil to record nothing.
    let keeper: ShipmentKeeper?
    /// Records the answers in a file; nil to record nothing.
    let recorder: ShipmentRecorder?
    /// Prints them as lines where there is no screen, and returns the exit code.
    let tell: @MainActor (HookFeed?) async -> Int32
}
