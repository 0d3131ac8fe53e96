import LocalFleetEngine
import Logging
import ProgramSurroundings

/// Reports problems with a server's database to the operator: it is full, damaged, or no longer at its path.
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
                health.noteStore(trouble: "the store is full")
                streams.say("tripwatch: the database cannot be written (\(words)): changes are refused until it can be written.")
                log.error("store", metadata: ["trouble": "\(words)"])
            case .recovered:
                health.noteStore(trouble: nil)
                streams.note("tripwatch: the database can be written again.")
                log.notice("store", metadata: ["trouble": "over"])
            }
        }
    }

    private func sayWhatWasLost() {
        guard let count = store?.unreadFrames, count > 0 else { return }
        let frames = count == 1 ? "1 frame" : "\(count) frames"
        streams.say(
            "tripwatch: warning: \(frames) of the database's log cannot be read: their changes are lost. Restore a backup to get the changes back."
        )
        log.warning("store", metadata: ["unread_frames": "\(count)"])
    }

    /// Checks the file regularly until the task is cancelled.
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
                    "tripwatch: the database, or its log, was moved, deleted or replaced: changes are lost when the server ends. "
                        + "Put the file back, or end the server and restore a backup.")
                log.error("store", metadata: ["place": "lost"])
            }
        }
    }
}
