/// A link that lets others watch a trip or shipment while the screen serves it.
package enum TripLink: Hashable, Sendable {
    /// The program is starting to serve the link.
    case starting
    case served(ServedLink)
    /// Serving the link failed. The sentences say why, and which setting to change.
    case failed(String)
}

/// A link that the user can pass on.
package struct ServedLink: Hashable, Sendable {
    package let address: String
    /// The reason why others cannot open the link, and the setting to change, in sentences; empty if they can open it.
    package let remark: String

    package init(address: String, remark: String) {
        self.address = address
        self.remark = remark
    }
}
