/// Writes changes a short time after they occur, so that several changes are written together. Two writes never run at the same time.
@MainActor
final class DelayedWriter {
    private let write: @MainActor () async -> Void
    private var waiting: (task: Task<Void, Never>, dueAt: ContinuousClock.Instant)?
    /// The last write that began.
    private var writing: Task<Void, Never>?

    /// - Parameter write: writes all changes that are not written yet.
    init(_ write: @escaping @MainActor () async -> Void) { self.write = write }

    /// Begins a write after the given number of seconds, unless a write is already due before then.
    func write(within seconds: Double) {
        let due = ContinuousClock.now + .seconds(seconds)
        if let waiting, waiting.dueAt <= due { return }
        waiting?.task.cancel()
        let task = Task { [weak self] in
            guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
            self?.begin()
        }
        waiting = (task, due)
    }

    @discardableResult
    private func begin() -> Task<Void, Never> {
        waiting = nil
        let next = Task { [write, writing] in
            await writing?.value
            await write()
        }
        writing = next
        return next
    }

    /// Writes the remaining changes. Returns when all writes have finished, so that the program can exit.
    func close() async {
        waiting?.task.cancel()
        await begin().value
    }
}
