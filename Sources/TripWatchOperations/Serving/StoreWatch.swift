import LocalFleetEngine
import Logging
import ProgramSurroundings

/// Reports problems with a server's database to the operator: the database cannot be written, is damaged, or is no longer at its path.
struct StoreWatch: Sendable {
    let store: EngineStore?
    let health: ServerHealth
    let streams: StandardStreams
    let log: Logger

    /// Starts to watch the store of a server for problems.
    func begin(_ engine: LocalFleetEngine) {
        sayWhatWasLost()
        engine.observeStore { event in
            switch event {
            case .stored: break
            case .failed(let words):
                let trouble = StoreEvent.trouble(words)
                health.noteStore(trouble: trouble)
                streams.say("tripwatch: \(trouble): changes are refused until it can be written.")
                log.error("store", metadata: ["trouble": "\(words)"])
            case .recovered:
                health.noteStore(trouble: nil)
                streams.note("tripwatch: the database is writable again.")
                log.notice("store", metadata: ["trouble": "over"])
            }
        }
    }

    private func sayWhatWasLost() {
        guard let count = store?.unreadTransactions, count > 0 else { return }
        streams.say("tripwatch: warning: " + Self.loss(transactions: count))
        log.warning("store", metadata: ["unread_transactions": "\(count)"])
    }

    private static func loss(transactions count: Int) -> String {
        count == 1
            ? "the last change in the database's log cannot be read: the server was killed while writing it, or the file is damaged. "
                + "If data is missing, restore a backup."
            : "the last \(count) changes in the database's log cannot be read. They are lost unless a backup has them."
    }

    /// Checks regularly whether the database is still at its path, until the task is cancelled.
    func run() async {
        guard let store else { return }
        var wasInPlace = true
        while (try? await Task.sleep(for: .seconds(FileWatch.lookSeconds))) != nil {
            let isInPlace = store.isInPlace
            guard isInPlace != wasInPlace else { continue }
            wasInPlace = isInPlace
            health.notePlace(trouble: isInPlace ? nil : "the database was moved, deleted or replaced")
            if isInPlace {
                streams.note("tripwatch: the database is back at its path.")
                log.notice("store", metadata: ["place": "found again"])
            } else {
                streams.say(
                    "tripwatch: the database, or its log, was moved, deleted or replaced: changes will be lost when the server stops. "
                        + "Put both files back; if you cannot, stop the server and restore a backup.")
                log.error("store", metadata: ["place": "lost"])
            }
        }
    }
}
