/// Runs `work` for at most `seconds` of real time, and then cancels it.
/// - Returns: the result; nil after a timeout.
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
