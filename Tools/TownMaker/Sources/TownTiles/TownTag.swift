/// An attribute of a feature in a tile.
struct TownTag {
    enum Value: Hashable {
        case text(String)
        case number(UInt64)
        case yes
    }

    let key: String
    let value: Value

    init(_ key: String, _ value: Value) { (self.key, self.value) = (key, value) }
}
