/// The leaf directories of an archive that were used last.
package struct LeafDirectories {
    /// How many entries a source keeps unless told otherwise.
    package static let standardEntryLimit = 1 << 19

    /// How many entries are kept; a single directory with more is kept whole.
    let entryLimit: Int

    private var directories: [UInt64: PMTilesDirectory] = [:]
    /// The offsets of `directories`, the one used last at the end.
    private var order: [UInt64] = []
    private var entryCount = 0

    package init(entryLimit: Int) {
        self.entryLimit = entryLimit
    }

    /// How many directories there are.
    var count: Int { directories.count }

    /// The directory at this offset, if it is kept.
    package mutating func directory(at offset: UInt64) -> PMTilesDirectory? {
        guard let directory = directories[offset] else { return nil }
        if order.last != offset {
            order.removeAll { $0 == offset }
            order.append(offset)
        }
        return directory
    }

    /// Keeps a directory and forgets the ones that were not used for the longest time.
    package mutating func keep(_ directory: PMTilesDirectory, at offset: UInt64) {
        entryCount += directory.entries.count
        if let replaced = directories.updateValue(directory, forKey: offset) {
            entryCount -= replaced.entries.count
        } else {
            order.append(offset)
        }
        while entryCount > entryLimit, order.count > 1 {
            entryCount -= directories.removeValue(forKey: order.removeFirst())?.entries.count ?? 0
        }
    }
}
