package import FleetEngine

extension Trip {
    /// The index of the next stop in the trip's list, from 0, limited to the valid range.
    package var stopIndex: Int { min(max(0, intermediateDestinationIndex), 9_998) }
}
