import Foundation
import Testing

@testable import TripWatchSettings
@testable import TripWatchWords

@Suite("A list of cars with phone keys")
struct ListedCarTests {
    private let now = Date(timeIntervalSince1970: 1_000_000_000)

    @Test("a line has local times with their ages, in columns, and nothing that affects the terminal")
    func lines() {
        let cars = [
            ListedCar(car: "a\u{1B}[2J\u{202E}b", keyEnd: now.addingTimeInterval(-120), lastHeard: now.addingTimeInterval(-5)),
            ListedCar(car: "c", keyEnd: now.addingTimeInterval(3 * 86_400), lastHeard: nil),
            ListedCar(car: "d", keyEnd: nil, lastHeard: now.addingTimeInterval(-2 * 86_400)),
        ]
        let lines = ListedCar.lines(cars, now: now) { _ in 3_600 }
        #expect(!lines.joined().unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        #expect(lines[0].hasSuffix("key expired 2001-09-09 02:44, 2 min ago  last message 2001-09-09 02:46, 5 s ago"), "\(lines[0])")
        #expect(lines[1].hasPrefix("c ") && lines[1].hasSuffix("key expires 2001-09-12 02:46, in 3 d     no message yet"), "\(lines[1])")
        #expect(
            lines[2].hasPrefix("d ") && lines[2].contains("key does not expire  ")
                && lines[2].hasSuffix("last message 2001-09-07 02:46, 2 d ago"))
    }

    @Test("in JSON, unknown values are null, and a list without cars is an empty array")
    func json() {
        #expect(ListedCar.json([]) == "[]")
        #expect(
            ListedCar.json([ListedCar(car: "c", keyEnd: now, lastHeard: nil)])
                == #"[{"car":"c","key_end":"2001-09-09T01:46:40.000Z","last_heard":null}]"#)
    }

    @Test("a time span may be in days")
    func days() { #expect(TimeSpanText.seconds("30d") == 2_592_000) }
}
