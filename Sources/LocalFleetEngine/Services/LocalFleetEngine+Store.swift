import FleetEngine
import FleetEngineCore
import FoundationEssentials
import NIOPosix
import SQLiteFile
import Synchronization

/// Event of an engine's store.
public enum StoreEvent: Sendable {
    /// A transaction is on disk.
    case stored
    /// A transaction failed, with SQLite's message. Its changes are undone, and nothing is written until there is room.
    case failed(String)
    /// There is room again.
    case recovered
}

extension LocalFleetEngine {
    /// Time between two attempts to write to a full store, seconds.
    private static let retrySeconds = 0.25

    /// Whether calls that write can be executed. Always true without a store.
    public nonisolated var isStoreWritable: Bool { held.withLock { !$0.isFull } }

    /// Answers from the state on disk: waits for unstored changes that concern the answer, and reads again if they were undone.
    ///
    /// - Parameter concerns: returns whether changes concern the answer. By default, all changes do.
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

    /// Stores batches one after another. Each contains all changes made while the previous one was being written. Blocks its thread.
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

    /// Reports the store's events from now on.
    /// - Parameter observer: must not block.
    public nonisolated func observeStore(_ observer: @escaping @Sendable (StoreEvent) -> Void) {
        storeObservers.withLock { $0.append(observer) }
    }

    /// Returns to the state on disk.
    private func undo(_ words: String, _ store: EngineStore) {
        let (changes, tickets) = held.withLock { $0.undo() }
        publish(changes, time.now())
        for ticket in tickets { ticket.end(isStored: false) }
        tellStore(.failed(words))
        Task { [weak self] in await self?.waitForRoom(store) }
    }

    private func waitForRoom(_ store: EngineStore) async {
        repeat {
            try? await Task.sleep(for: .seconds(Self.retrySeconds))
        } while (try? await NIOThreadPool.singleton.runIfActive { try store.tryWriting() }) == nil
        held.withLock { $0.goOn() }
        tellStore(.recovered)
        serveWaiting()
        storeChanges()
    }
}
