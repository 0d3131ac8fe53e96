public import FleetEngine
import JourneySharing
public import TerminalMap

/// The parameters of a marker customizer: the marker whose style it can change, and the data of the marker.
public struct MarkerCustomizationParameters: Sendable, Hashable {
    /// The marker whose style the customizer can change.
    public let marker: ConsumerMarker
    /// Whether the marker is new on the map; false if only its data or its default options changed.
    public let isNew: Bool
    /// The style coordinator's options for this type of marker.
    public let defaultOptions: MarkerStyleOptions
    /// The data of the marker's trip as known so far; nil for a marker without a trip.
    public let trip: Trip?
}

/// Changes the style of individual markers (the web SDK's marker customization functions).
///
/// It is called when a marker is new on the map, and when its trip's data or its default options change. The result is kept until
/// the next call.
public typealias MarkerCustomizer = @MainActor (MarkerCustomizationParameters) -> MarkerStyleOptions

/// The customized options of each marker, kept until the marker's data or default options change.
struct CustomizedMarkers {
    private struct Entry {
        var parameters: MarkerCustomizationParameters
        var options: MarkerStyleOptions
    }

    private var entries: [ConsumerMarker: Entry] = [:]

    /// For each customized marker, whether it is visible.
    var visibility: [ConsumerMarker: Bool] { entries.mapValues(\.options.isVisible) }

    /// Applies the customizer's options to the markers in the overlays. Without a customizer, the markers keep their options.
    @MainActor
    mutating func apply(
        _ customizer: MarkerCustomizer?, to overlays: inout MapOverlays, markers: [ConsumerMarker], journeys: [JourneyTracker]
    ) {
        guard let customizer else { return entries.removeAll() }
        let byID = Dictionary(markers.map { ($0.overlayID, $0) }) { first, _ in first }
        var kept: [ConsumerMarker: Entry] = [:]
        for index in overlays.markers.indices {
            guard let marker = byID[overlays.markers[index].id] else { continue }
            let known = entries[marker]
            let trip = journeys.first { $0.tripName == marker.trip }?.trip
            let options = overlays.markers[index].style
            if let known, known.parameters.trip == trip, known.parameters.defaultOptions == options {
                kept[marker] = known
            } else {
                let parameters = MarkerCustomizationParameters(marker: marker, isNew: known == nil, defaultOptions: options, trip: trip)
                kept[marker] = Entry(parameters: parameters, options: customizer(parameters))
            }
            if let entry = kept[marker] { overlays.markers[index].style = entry.options }
        }
        entries = kept
    }
}
