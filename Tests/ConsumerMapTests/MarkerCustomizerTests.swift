import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing

@testable import ConsumerMap

@Suite("Markers one by one")
@MainActor
struct MarkerCustomizerTests {
    private let map = JourneyMap(size: Size(columns: 60, rows: 20))

    /// Applies a customizer to map overlays. Returns the overlays, and the parameters with which the customizer was called.
    private func customize(
        _ customized: inout CustomizedMarkers, _ journey: JourneyTracker, _ restyle: (MarkerStyleOptions) -> MarkerStyleOptions = { $0 }
    ) -> (overlays: MapOverlays, told: [MarkerCustomizationParameters]) {
        var overlays = map.overlays(for: [journey])
        var told: [MarkerCustomizationParameters] = []
        withoutActuallyEscaping(restyle) { restyle in
            customized.apply(
                {
                    told.append($0)
                    return restyle($0.defaultOptions)
                }, to: &overlays, markers: map.consumerMarkers([journey]), journeys: [journey])
        }
        return (overlays, told)
    }

    @Test("a customizer runs for a new marker and for new data, not for every frame")
    func calls() throws {
        var journey = try #require(Corner.journey(along: 400))
        var customized = CustomizedMarkers()
        let first = customize(&customized, journey)
        #expect(first.told.count == 3 && first.told.filter { $0.isNew && $0.trip == journey.trip }.count == 3)
        #expect(Set(first.told.map { $0.marker.type }) == [.vehicle, .tripPickupPoint, .tripDropoffPoint])
        let still = customize(&customized, journey)
        #expect(still.told.isEmpty)
        var trip = try #require(journey.trip)
        trip.status = .arrivedAtPickup
        journey.observe(trip, along: 400, at: Corner.now.addingTimeInterval(5))
        let again = customize(&customized, journey)
        #expect(again.told.count == 3 && again.told.filter { !$0.isNew && $0.trip?.status == .arrivedAtPickup }.count == 3)
    }

    @Test("the customizer's result is drawn until the next call, and disappears with the customizer")
    func options() throws {
        let journey = try #require(Corner.journey(along: 400))
        var customized = CustomizedMarkers()
        let icon = MarkerIcon(text: "X", ascii: "X")
        for _ in 0..<2 {
            let overlays = customize(&customized, journey) { options in
                var options = options
                options.icon = icon
                options.isVisible = options.isFlat
                return options
            }.overlays
            #expect(overlays.markers.allSatisfy { $0.style.icon == icon })
            #expect(overlays.markers.filter { $0.style.isVisible }.map(\.strength) == [.vehicle])
        }
        var plain = map.overlays(for: [journey])
        customized.apply(nil, to: &plain, markers: map.consumerMarkers([journey]), journeys: [journey])
        #expect(plain == map.overlays(for: [journey]))
        let anew = customize(&customized, journey).told
        #expect(anew.count == 3 && anew.allSatisfy { $0.isNew })
    }

    @Test("the web SDK's viewport mode is the camera's switch")
    func viewportMode() {
        let view = MapView()
        #expect(view.automaticViewportMode == .fitAnticipatedRoute)
        view.automaticViewportMode = .none
        #expect(!view.isAllowCameraAutoUpdate)
        view.isAllowCameraAutoUpdate = true
        #expect(view.automaticViewportMode == .fitAnticipatedRoute)
    }
}
