import FleetEngine
import Testing

@Suite("The kind of a trip: a ride or an order")
struct TripKindTests {
    @Test(
        "The attribute overrides the user's choice, and both override the default, a ride",
        arguments: [
            ("order", nil, TripKind.order), ("order", .ride, .order), ("ride", .order, .ride), (nil, .order, .order), (nil, .ride, .ride),
            (nil, nil, .ride),
        ] as [(String?, TripKind?, TripKind)])
    func order(attribute: String?, fallback: TripKind?, kind: TripKind) {
        var attributes = ["title": "Order from Noodle House"]
        attributes["kind"] = attribute
        #expect(TripKind(attributes: attributes, fallback: fallback) == kind)
    }

    @Test("Any other value is ignored", arguments: ["Order", "ORDER", "parcel", "", " order"])
    func others(value: String) {
        #expect(TripKind(attributes: ["kind": value]) == .ride)
        #expect(TripKind(attributes: ["kind": value], fallback: .order) == .order)
    }
}
