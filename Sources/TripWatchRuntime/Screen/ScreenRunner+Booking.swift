import FleetEngine
import ProviderBackend
import TripWatchScreen
import TripWatchWords

extension ScreenRunner {
    func book(_ ride: MapRide) {
        guard let book = world.book else { return }
        Task {
            let answer = await book(ride)
            // After the screen has ended, it can no longer follow the booked trip.
            guard ending == nil else { return }
            switch answer {
            case .success(let booking):
                booked = (booking, ride)
                dispatch(.bookingResult(.booked(booking.trip)))
            case .failure(let error) where error.mayHaveHappened: dispatch(.bookingResult(.unknown("\(error).")))
            case .failure(let error): dispatch(.bookingResult(.failed("\(error).")))
            }
        }
    }
}
