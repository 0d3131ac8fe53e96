import LocalFleetEngine
import Logging
import ProgramSurroundings

/// Says what an operator has to know of a server's database: that it is full, was damaged, or is no longer where it was.
struct StoreWatch: Sendable {
    let store: EngineStore?
    let health: ServerHealth
    let streams: StandardStreams
    let log: Logger

    /// What happens to the store of an engine is said from now on.
    func begin(_ engine: LocalFleetEngine) {
        sayWhatWasLost()
        engine.observeStore { event in
            switch event {
            case .stored: break
            case .failed(let words):
                health.noteStore(trouble: "the store is full")
                streams.say("tripwatch: the database cannot be written (\(words)): nothing is changed until it can.")
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
        streams.say("tripwatch: warning: \(frames) of the database's log cannot be read: what they changed is lost. A backup may have it.")
        log.warning("store", metadata: ["unread_frames": "\(count)"])
    }

    /// Looks after the file, until the task is cancelled.
    func run() async {
        guard let store else { return }
        var wasInPlace = true
        while (try? await Task.sleep(for: .seconds(FileWatch.lookSeconds))) != nil {
            let isInPlace = store.isInPlace
            guard isInPlace != wasInPlace else { continue }
            wasInPlace = isInPlace
            health.notePlace(trouble: isInPlace ? nil : "the database was moved, deleted or replaced")
            if isInPlace {
                streams.note("tripwatch: the database is in its place again.")
                log.notice("store", metadata: ["place": "found again"])
            } else {
                streams.say(
                    "tripwatch: the database, or its log, was moved, deleted or replaced: changes are lost when the server ends. "
                        + "Put it back, or end the server and restore a backup.")
                log.error("store", metadata: ["place": "lost"])
            }
        }
    }
}
