/// A cache of the most recently used leaf directories of an archive.
package struct LeafDirectories {
    /// The default maximum number of entries that a source keeps in memory.
    package static let standardEntryLimit = 1 << 19

    /// Maximum number of entries in all directories together. The newest directory is kept even if it alone has more.
    let entryLimit: Int

    private var directories: [UInt64: PMTilesDirectory] = [:]
    /// The offsets of `directories`, the most recently used last.
    private var order: [UInt64] = []
    private var entryCount = 0

    package init(entryLimit: Int) {
        self.entryLimit = entryLimit
    }

    /// Number of directories.
    var count: Int { directories.count }

    /// Returns the directory at this offset, if the cache has it.
    package mutating func directory(at offset: UInt64) -> PMTilesDirectory? {
        guard let directory = directories[offset] else { return nil }
        if order.last != offset {
            order.removeAll { $0 == offset }
            order.append(offset)
        }
        return directory
    }

    /// Keeps a directory, and drops the least recently used directories if there are too many entries.
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
