package import ProgramSurroundings
package import ProviderBackend
import TripWatchRuntime
import TripWatchWords

/// Lists the cars with phone keys, or revokes the key of a car.
package struct PhoneKeysRun: Sendable {
    /// Action to perform.
    package enum Action: Hashable, Sendable {
        case list(isJSON: Bool)
        /// The bare id of the car.
        case revoke(String)
    }

    private let action: Action
    private let provider: ProviderBackendClient

    package init(_ action: Action, provider: ProviderBackendClient) {
        self.action = action
        self.provider = provider
    }

    package func perform(in surroundings: Surroundings) async throws(Failure) -> ProgramEnd {
        switch action {
        case .list(let isJSON): try await list(isJSON, surroundings)
        case .revoke(let car):
            do throws(ProviderBackendError) {
                try await provider.revokeCar(car)
            } catch {
                throw error.failure("Not revoked", keyOption: "--desk-key-file")
            }
            surroundings.streams.note("tripwatch: the phone key of \(printable(car)) has been revoked.")
        }
        return .success
    }

    private func list(_ isJSON: Bool, _ surroundings: Surroundings) async throws(Failure) {
        do throws(ProviderBackendError) {
            let found = try await provider.phoneCars()
            let cars = found.cars.map { ListedCar(car: $0.vehicle, keyEnd: $0.keyEnd, lastHeard: $0.lastHeard) }
            if isJSON { return surroundings.streams.print(ListedCar.json(cars)) }
            if cars.isEmpty { surroundings.streams.note("tripwatch: no car has a phone key.") }
            for line in ListedCar.lines(cars, now: found.now, zone: LocalZone.secondsFromGMT) { surroundings.streams.print(line) }
        } catch {
            throw error.failure("Not listed", keyOption: "--desk-key-file")
        }
    }
}
