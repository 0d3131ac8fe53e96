/// The file that a ride is recorded to.
package struct RideFile: Hashable, Sendable {
    /// File name for display, without its folder.
    package var name: String
    package var bytes: Int

    package init(name: String, bytes: Int) { (self.name, self.bytes) = (name, bytes) }

    package var size: String { TripWords.fileSize(bytes) }
}
