import ConsumerMap
import FleetEngine
import JourneySharing
import ProgramSurroundings
import TripWatchScreen

extension ScreenRunner {
    /// The longest time for which the closed screen waits for the provider's answers, in seconds.
    private static let lastAnswerSeconds = 6.0

    func cancel(_ name: TripName) {
        guard let cancel = world.cancel else { return }
        let request = Task { await cancel(name) }
        cancellations[name] = request
        Task {
            let result = await request.value
            // After the screen has ended, `tellCancellations` reports the result.
            guard ending == nil else { return }
            cancellations[name] = nil
            dispatch(.cancelResult(result, for: name))
            sessions[name]?.tripModel.refresh()
        }
    }

    /// Returns a guard that must live until ``tellCancellations(on:)`` has ended; nil if no cancellation is under way.
    ///
    /// A closed window often sends HUP twice. Without the guard, the second signal would end the program before the provider gets the
    /// request.
    /// - Parameter end: how the screen ended.
    func cancellationGuard(after end: ProgramEnd) -> HelperGuard? {
        guard !cancellations.isEmpty else { return nil }
        let first: Int32? = if case .signal(let number) = end { number } else { nil }
        return HelperGuard(after: first)
    }

    /// Waits for the provider's answers to cancellations that were under way when the screen ended, and prints the results.
    func tellCancellations(on streams: StandardStreams) async {
        guard !cancellations.isEmpty else { return }
        let words = Task {
            try await Task.sleep(for: .seconds(1))
            streams.note("tripwatch: waiting for the provider's answer to the cancellation …")
        }
        let deadline = ContinuousClock.now + .seconds(Self.lastAnswerSeconds)
        for (name, request) in cancellations {
            let result = await within(max(0, (deadline - ContinuousClock.now).seconds)) {
                await withTaskCancellationHandler {
                    await request.value
                } onCancel: {
                    request.cancel()
                }
            }
            streams.say("tripwatch: " + state.lastCancelWords(result, for: name))
        }
        words.cancel()
    }
}
