/// Runs `work` and cancels it after `seconds` of real time. The function returns only when `work` has ended, so `work` must react to the
/// cancellation. For the value of a task, use ``value(of:within:)`` instead.
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
