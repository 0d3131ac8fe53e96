package import FleetEngine

extension Trip {
    /// The place of the next stop in the trip's list, from 0, within what can be counted on.
    package var stopIndex: Int { min(max(0, intermediateDestinationIndex), 9_998) }
}
