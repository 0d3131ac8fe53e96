/// The file in which a ride is recorded.
package struct RideFile: Hashable, Sendable {
    /// The file's name without its folder, as displayed.
    package var name: String
    package var bytes: Int

    package init(name: String, bytes: Int) { (self.name, self.bytes) = (name, bytes) }

    package var size: String { TripWords.fileSize(bytes) }
}
