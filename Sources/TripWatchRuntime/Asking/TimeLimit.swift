/// Runs `work` and cancels it after `seconds` of real time. The function returns only when `work` has ended, so `work` must react to the
/// cancellation. For the value of a task, use `Task.value(within:)` instead.
/// - Returns: the result of `work`; nil if the time ran out.
package func within<Value: Sendable>(_ seconds: Double, _ work: @escaping @Sendable () async -> Value) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await work() }
        group.addTask {
            try? await Task.sleep(for: .seconds(seconds))
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}

extension Task where Failure == Never {
    /// Waits for the task, for at most `seconds` of real time. The task continues after this time.
    /// - Returns: the value of the task; nil if the time ran out, or if the calling task is cancelled.
    package func value(within seconds: Double) async -> Success? {
        let (results, result) = AsyncStream.makeStream(of: Success?.self)
        Task<Void, Never> { result.yield(await value) }
        let timer = Task<Void, Never> {
            try? await Task<Never, Never>.sleep(for: .seconds(seconds))
            result.yield(nil)
        }
        defer { timer.cancel() }
        for await found in results { return found }
        return nil
    }
}
