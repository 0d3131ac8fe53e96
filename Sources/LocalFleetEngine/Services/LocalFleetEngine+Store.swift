import FleetEngine
import FleetEngineCore
import FoundationEssentials
import NIOPosix
import SQLiteFile
import Synchronization

/// An event in an engine's store.
public enum StoreEvent: Sendable {
    /// A transaction is on disk.
    case stored
    /// A transaction failed; the value is SQLite's message. All changes that are not on disk are undone, and calls that write are refused
    /// until `recovered`.
    case failed(String)
    /// The store can be written again.
    case recovered

    /// Returns the message for callers about a store that cannot be written.
    /// - Parameter words: SQLite's message.
    public static func trouble(_ words: String) -> String { "the database cannot be written (\(words))" }
}

extension LocalFleetEngine {
    /// Time between two attempts to write to a store that could not be written, in seconds.
    private static let retrySeconds = 0.25

    /// Whether the engine can execute calls that write. Always true if the engine has no store.
    public nonisolated var isStoreWritable: Bool { held.withLock { !$0.isRefusing } }

    /// The error of a call whose changes cannot be stored.
    /// - Parameter words: SQLite's message.
    static func refusal(_ words: String) -> FleetEngineError { .exhausted("store", StoreEvent.trouble(words)) }

    /// Answers from the state on disk: waits until the changes in the answer are stored, and reads again if they were undone.
    ///
    /// - Parameter concerns: returns whether the answer contains data that the given changes have modified. By default, every change
    ///   concerns the answer.
    nonisolated func read<Answer: Sendable>(
        concerns: (ChangeSet, FleetEngineState) -> Bool = { _, _ in true },
        _ look: (FleetEngineState, Date) throws(FleetEngineError) -> Answer
    ) async throws(FleetEngineError) -> Answer {
        while true {
            let now = time.now()
            let (answer, ticket) = held.withLock { held in (Self.answer(of: look, from: held.engine, now), held.ticket(concerns)) }
            if let ticket, !(await ticket.isStored) { continue }
            return try answer.get()
        }
    }

    private static func answer<Answer>(
        of look: (FleetEngineState, Date) throws(FleetEngineError) -> Answer, from engine: FleetEngineState, _ now: Date
    ) -> Result<Answer, FleetEngineError> {
        do throws(FleetEngineError) { return .success(try look(engine, now)) } catch { return .failure(error) }
    }

    /// Starts storing the changes, unless a writer is already running.
    nonisolated func storeChanges() {
        guard let store, held.withLock({ $0.needsWriter() }) else { return }
        NIOThreadPool.singleton.submit { _ in self.storeBatches(store) }
    }

    /// Stores batches one after another. Each batch contains all changes made while the previous batch was being written.
    /// Blocks its thread.
    private nonisolated func storeBatches(_ store: EngineStore) {
        while let batch = held.withLock({ $0.nextBatch() }) {
            let began = ContinuousClock.now
            do {
                try store.write(batch.changes, lastSerial: batch.lastSerial, lastStamp: batch.lastStamp)
            } catch {
                let words = (error as? SQLiteError)?.message ?? "\(error)"
                Task { await self.undo(words, store) }
                return
            }
            batch.ticket.end(isStored: true)
            metrics.noteStore(seconds: (ContinuousClock.now - began) / .seconds(1))
            tellStore(.stored)
        }
    }

    private nonisolated func tellStore(_ event: StoreEvent) {
        for observer in storeObservers.withLock({ $0 }) { observer(event) }
    }

    /// Reports the store's events to an observer from now on.
    /// - Parameter observer: must not block.
    public nonisolated func observeStore(_ observer: @escaping @Sendable (StoreEvent) -> Void) {
        storeObservers.withLock { $0.append(observer) }
    }

    /// Returns the engine to the state on disk, and notifies the waiting calls.
    private func undo(_ words: String, _ store: EngineStore) {
        let (changes, tickets) = held.withLock { $0.undo(words) }
        publish(changes, time.now())
        for ticket in tickets { ticket.end(isStored: false) }
        tellStore(.failed(words))
        Task { [weak self] in await self?.waitUntilWritable(store) }
    }

    private func waitUntilWritable(_ store: EngineStore) async {
        repeat {
            try? await Task.sleep(for: .seconds(Self.retrySeconds))
        } while (try? await NIOThreadPool.singleton.runIfActive { try store.tryWriting() }) == nil
        held.withLock { $0.goOn() }
        tellStore(.recovered)
        serveWaiting()
        storeChanges()
    }
}
