package import FleetEngine
package import ProgramSurroundings
package import ProviderBackend
package import TripWatchScreen
import TripWatchWords

extension ProviderBackendClient {
    /// Creates the client for a provider's backend. If it has credentials, disables core dumps, so that a crash does not write the
    /// credentials to disk.
    package static func make(
        address: Address, headers: [(name: String, value: String)], headerFile: String?, caFile: String?, in surroundings: Surroundings
    ) -> ProviderBackendClient {
        if !headers.isEmpty || headerFile != nil { Secrets.protectMemory() }
        return ProviderBackendClient(
            address: address, headers: headers, headerFile: headerFile.map(HeaderFile.init), caFile: caFile,
            onRequest: surroundings.log.requestReporter)
    }

    /// A function that books a ride, for the map screen.
    var booker: @Sendable (MapRide) async -> Result<ProviderBooking, ProviderBackendError> {
        { ride in
            do throws(ProviderBackendError) {
                var attributes: [String: String] = [:]
                attributes["pickup_name"] = ride.pickupName
                attributes["dropoff_name"] = ride.dropoffName
                return .success(try await bookTrip(from: ride.pickup, to: ride.dropoff, attributes: attributes))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The time limit of ``otherTrip(than:)``, the check before a cancellation, in seconds.
    private static let checkSeconds = 3.0

    /// Checks that the provider's trip with this id is this trip. The provider cancels by id, so it might otherwise cancel a trip that has
    /// the same id but another name.
    ///
    /// A failure of the check itself is ignored. A provider that is slow, or whose API cannot read trips, may still be able to cancel
    /// the trip.
    /// - Returns: the name of the provider's trip if it differs from `name`; otherwise nil.
    func otherTrip(than name: TripName) async -> TripName? {
        let found = await within(Self.checkSeconds) { () async -> TripName? in
            do throws(ProviderBackendError) { return try await trip(name.trip).name } catch { return nil }
        }
        guard let found, let other = found, other != name else { return nil }
        return other
    }

    /// A function that cancels a trip, for a screen.
    package var canceller: @Sendable (TripName) async -> CancelResult {
        { name in
            if let other = await otherTrip(than: name) {
                return .failed("The provider has another trip with this id: \(printable("\(other)")). Check --provider-url.")
            }
            do throws(ProviderBackendError) {
                try await cancel(name.trip)
                return .canceled
            } catch {
                return error.isOutcomeUnknown ? .unknown("\(error).") : .failed("\(error).")
            }
        }
    }
}

extension ProviderBackendClient {
    /// Returns a function that asks the provider to take an offered trip away from the vehicle, for a driver's screen.
    package func decliner(_ vehicle: VehicleName) -> @Sendable (TripName) async -> CancelResult {
        { name in
            do throws(ProviderBackendError) {
                let trip = try await release(name.trip)
                guard trip.vehicleID == vehicle.vehicle else { return .canceled }
                return .failed("The provider did not reassign the trip, so it stays with this car.")
            } catch {
                return error.isOutcomeUnknown ? .unknown("\(error).") : .failed("\(error).")
            }
        }
    }
}

extension ProviderBackendError {
    /// Whether the provider may have carried out the request: the answer was lost, or the provider failed during the request.
    package var isOutcomeUnknown: Bool {
        if case .failing = kind { return true }
        return mayHaveHappened
    }

    /// Returns the failure that ends a command after this error.
    /// - Parameter keyOption: the option that gives the provider's credentials.
    package func failure(_ outcome: String, keyOption: String = "--provider-header-file") -> Failure {
        let code =
            switch kind {
            case .refused(status: 401), .refused(status: 403): ExitCodes.notAllowed
            case .refused(status: 404): ExitCodes.noSuchTrip
            case .refused, .failing, .unreachable, .notUnderstood: ExitCodes.failed
            }
        let advice = kind == .refused(status: 401) ? " Give valid credentials with \(keyOption)." : ""
        return Failure(message: "\(outcome): \(self).\(advice)", exitCode: code)
    }
}
