import CTerminal

/// Runs a closure once on a new thread. Returns false if the system cannot create one.
func startThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
    let box = Unmanaged.passRetained(Box(body))
    let isStarted = cterminal_start_thread(
        name, { argument in if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() } }, box.toOpaque())
    if !isStarted { box.release() }
    return isStarted
}
