import FleetEngine
import FoundationEssentials
import JourneySharing
import TripWatchWords

/// For each text about a shipment, the moments that it may show as clock times, in the order in which it shows them.
struct ShipmentTimes {
    let value, clock, line, windowLine: [Date]

    init(_ tracker: ShipmentTracker) {
        let shipment = tracker.shipment
        let window = shipment?.targetTimeWindow ?? tracker.lastOpen?.targetTimeWindow
        windowLine = window.map { [$0.start, $0.end] } ?? []
        value = [shipment?.outcomeTime].compactMap { $0 } + windowLine
        clock = [tracker.arrival.shown, tracker.lastOpen?.estimatedArrivalTime].compactMap { $0 }
        line = [shipment?.outcomeTime, tracker.lastSharedAt].compactMap { $0 }
    }
}

extension String {
    /// Returns the text with the clock times of `moments`, and the days in front of them, replaced by other words.
    /// - Parameters:
    ///   - moments: the times to replace, in the order in which the text shows them. Other clock times stay as they are.
    ///   - words: returns the new words. Its arguments are the clock time with the day in front of it (if there is one), the moment, and
    ///     the name of the moment's zone. The name is empty for a time that is followed by another one in the same zone.
    func replacingClocks(of moments: [Date], _ options: AppOptions, with words: (String, Date, String) -> String) -> String {
        let pattern = /(?:[0-9]{1,2} [A-Z][a-z]{2} |[0-9]{4}-[0-9]{2}-[0-9]{2} )?[0-9]{2}:[0-9]{2}/
        var left = moments
        var found: [(range: Range<String.Index>, moment: Date, zone: String)] = []
        for match in matches(of: pattern) {
            let hour = String(match.output.suffix(5))
            let place = left.firstIndex {
                Timestamps.clock($0, secondsFromGMT: options.secondsFromGMT($0), withSeconds: false) == hour
            }
            // Each moment is used only once, because two moments can have the same clock time: a day apart, or an hour apart when the
            // clocks are set back.
            guard let place else { continue }
            let moment = left.remove(at: place)
            found.append((match.range, moment, options.zoneName(moment)))
        }
        var text = ""
        var end = startIndex
        for (index, clock) in found.enumerated() {
            let isSame = found.dropFirst(index + 1).first?.zone == clock.zone
            text += String(self[end..<clock.range.lowerBound])
            text += words(String(self[clock.range]), clock.moment, isSame ? "" : clock.zone)
            end = clock.range.upperBound
        }
        return text + String(self[end...])
    }

    /// Returns the text with zone names after the clock times of `moments`. The last of these times gets a name. Each earlier time gets one
    /// only if the next time has another zone.
    func namingZones(of moments: [Date], _ options: AppOptions) -> String {
        replacingClocks(of: moments, options) { clock, _, zone in zone.isEmpty ? clock : "\(clock) \(zone)" }
    }
}
