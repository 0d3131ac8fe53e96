import FleetEngine
import FleetEngineCore
import FoundationEssentials
import NIOPosix
import SQLiteFile
import Synchronization

/// What happens to the store of an engine.
public enum StoreEvent: Sendable {
    /// A transaction is on disk.
    case stored
    /// A transaction failed, in SQLite's words: what it held is undone, and nothing is written until there is room.
    case failed(String)
    /// There is room again.
    case recovered
}

extension LocalFleetEngine {
    /// How long a full store is left alone, seconds.
    private static let retrySeconds = 0.25

    /// Whether calls that write can be carried out. Without a store they always can.
    public nonisolated var isStoreWritable: Bool { held.withLock { !$0.isFull } }

    /// Answers from what is on disk: waits for changes that concern the answer, and looks again where they were undone.
    ///
    /// - Parameter concerns: whether changes concern the answer; by default all do.
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

    /// Sees to it that what has changed gets to the disk.
    nonisolated func storeChanges() {
        guard let store, held.withLock({ $0.needsWriter() }) else { return }
        NIOThreadPool.singleton.submit { _ in self.storeBatches(store) }
    }

    /// Stores one batch after the other, each of them all that changed while the one before was on its way; blocks.
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

    /// Tells what happens to the store from now on.
    /// - Parameter observer: must not block.
    public nonisolated func observeStore(_ observer: @escaping @Sendable (StoreEvent) -> Void) {
        storeObservers.withLock { $0.append(observer) }
    }

    /// Goes back to what is on disk.
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
