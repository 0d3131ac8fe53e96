import FleetEngineCore

/// The engine's state, and the changes that are not on disk yet. One lock protects all members.
struct HeldEngine: Sendable {
    /// Changes that are being written to disk.
    struct Batch: Sendable {
        let changes: ChangeSet
        let ticket: StoreTicket
        let lastSerial: UInt64
        let lastStamp: ChangeStamp
    }

    var engine: FleetEngineState
    /// The ticket of the changes made since the last batch.
    private var ticket = StoreTicket()
    private var batch: Batch?
    /// Whether a writer is storing batches.
    private var hasWriter = false
    /// Whether the last batch could not be stored. Nothing is written until the store can be written again.
    private(set) var isRefusing = false
    /// SQLite's message about the last batch that could not be stored.
    private(set) var trouble = ""
    /// Number of times that changes were undone.
    private(set) var undoCount = 0

    init(_ engine: FleetEngineState) { self.engine = engine }

    /// Returns the ticket that an answer has to wait for; nil if everything in the answer is on disk.
    ///
    /// - Parameter concerns: returns whether the answer contains data that the given changes have modified.
    func ticket(_ concerns: (ChangeSet, FleetEngineState) -> Bool) -> StoreTicket? {
        guard engine.recordsChanges else { return nil }
        if !engine.changed.isEmpty, concerns(engine.changed, engine) { return ticket }
        guard let batch, concerns(batch.changes, engine) else { return nil }
        return batch.ticket
    }

    /// Returns whether the caller has to start a writer: there are changes to store, no writer is running, and the store can be written. If
    /// true, the writer counts as running from now on.
    mutating func needsWriter() -> Bool {
        guard !hasWriter, !isRefusing, !engine.changed.isEmpty else { return false }
        hasWriter = true
        return true
    }

    /// Returns the next batch for the writer; nil if no changes are left. The writer calls this when the previous batch is on
    /// disk.
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

    /// Undoes everything that is not on disk, and ends the writer.
    /// - Parameter trouble: SQLite's message about the batch that could not be stored.
    /// - Returns: the changes that the undo makes, and the tickets that answers are waiting for.
    mutating func undo(_ trouble: String) -> (changes: [Change], tickets: [StoreTicket]) {
        var changes = engine.changed.undoing
        if let batch { changes += batch.changes.undoing }
        for change in changes { engine.apply(change) }
        engine.forgetChanges()
        let tickets = [batch?.ticket, ticket].compactMap { $0 }
        batch = nil
        ticket = StoreTicket()
        hasWriter = false
        isRefusing = true
        self.trouble = trouble
        undoCount += 1
        return (changes, tickets)
    }

    /// Allows writing again. Called when the store can be written again.
    mutating func goOn() { isRefusing = false }
}
