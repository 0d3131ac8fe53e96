/// A link by which others see a trip, as long as the screen serves it.
package enum TripLink: Hashable, Sendable {
    /// The program begins to serve it.
    case starting
    case served(ServedLink)
    /// Why there is no link and what to set, in sentences.
    case failed(String)
}

/// A link that can be handed on.
package struct ServedLink: Hashable, Sendable {
    package let address: String
    /// Why others cannot open it and what to set, in sentences; empty where they can.
    package let remark: String

    package init(address: String, remark: String) {
        self.address = address
        self.remark = remark
    }
}
