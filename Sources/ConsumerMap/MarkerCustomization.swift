public import FleetEngine
import JourneySharing
public import TerminalMap

/// What a marker customizer knows about the marker that it may restyle.
public struct MarkerCustomizationParameters: Sendable, Hashable {
    /// The marker that is asked about.
    public let marker: ConsumerMarker
    /// Whether the marker comes onto the map now; false when only its data changed.
    public let isNew: Bool
    /// The options that the style coordinator gives this type of marker.
    public let defaultOptions: MarkerStyleOptions
    /// The marker's trip as far as it is known; nil for the user's own position.
    public let trip: Trip?
}

/// Restyles single markers (the web SDK's marker customization functions).
///
/// Called when a marker comes onto the map and whenever its trip's data or its default options change, never merely because a frame is drawn. What it
/// returns is kept until then.
public typealias MarkerCustomizer = @MainActor (MarkerCustomizationParameters) -> MarkerStyleOptions

/// The customized options of each marker, so that the customizer runs once per arrival of data.
struct CustomizedMarkers {
    private struct Entry {
        var parameters: MarkerCustomizationParameters
        var options: MarkerStyleOptions
    }

    private var entries: [ConsumerMarker: Entry] = [:]

    /// Whether each marker that was customized is shown.
    var visibility: [ConsumerMarker: Bool] { entries.mapValues(\.options.isVisible) }

    /// Gives the markers among the overlays the options that the customizer wants; without one they keep theirs.
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
