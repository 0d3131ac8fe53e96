import FleetEngineCore

/// The engine, and what of it is not on disk yet. What is in here changes together.
struct HeldEngine: Sendable {
    /// Changes on their way to the disk.
    struct Batch: Sendable {
        let changes: ChangeSet
        let ticket: StoreTicket
        let lastSerial: UInt64
        let lastStamp: ChangeStamp
    }

    var engine: FleetEngineState
    /// For what has changed since the last batch.
    private var ticket = StoreTicket()
    private var batch: Batch?
    /// Whether somebody stores batches now.
    private var hasWriter = false
    /// Whether the last batch could not be stored: nothing is written until there is room.
    private(set) var isFull = false
    /// How often something was undone.
    private(set) var undoCount = 0

    init(_ engine: FleetEngineState) { self.engine = engine }

    /// What an answer has to wait for; nil where all that it tells is on disk.
    ///
    /// - Parameter concerns: whether changes concern the answer.
    func ticket(_ concerns: (ChangeSet, FleetEngineState) -> Bool) -> StoreTicket? {
        guard engine.recordsChanges else { return nil }
        if !engine.changed.isEmpty, concerns(engine.changed, engine) { return ticket }
        guard let batch, concerns(batch.changes, engine) else { return nil }
        return batch.ticket
    }

    /// Whether the caller has to begin storing batches: there is something to store, and nobody who does.
    mutating func needsWriter() -> Bool {
        guard !hasWriter, !isFull, !engine.changed.isEmpty else { return false }
        hasWriter = true
        return true
    }

    /// The next batch for the one who stores them; nil when he has done all. The last one he was given is on disk.
    mutating func nextBatch() -> Batch? {
        batch = nil
        guard !engine.changed.isEmpty else {
            hasWriter = false
            return nil
        }
        batch = Batch(
            changes: engine.changed, ticket: ticket, lastSerial: engine.lastSerial, lastStamp: engine.lastStamp)
        engine.forgetChanges()
        ticket = StoreTicket()
        return batch
    }

    /// Takes back everything that is not on disk, and the writer's office with it.
    /// - Returns: what that changed, and who waited for it.
    mutating func undo() -> (changes: [Change], tickets: [StoreTicket]) {
        var changes = engine.changed.undoing
        if let batch { changes += batch.changes.undoing }
        for change in changes { engine.apply(change) }
        engine.forgetChanges()
        let tickets = [batch?.ticket, ticket].compactMap { $0 }
        batch = nil
        ticket = StoreTicket()
        hasWriter = false
        isFull = true
        undoCount += 1
        return (changes, tickets)
    }

    /// There is room again.
    mutating func goOn() { isFull = false }
}
