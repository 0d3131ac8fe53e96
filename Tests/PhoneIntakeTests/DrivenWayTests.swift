import FoundationEssentials
import Geo
import PhoneIntake
import Testing

@Suite("The path that a phone's car has driven")
struct DrivenWayTests {
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private func fix(_ seconds: Double, east: Double) -> PhoneFix {
        let home = Coordinate(latitude: 50, longitude: 8)
        return PhoneFix(coordinate: home.offset(eastMeters: east, northMeters: 0), time: Self.start.addingTimeInterval(seconds))
    }

    private func way(_ fixes: [(seconds: Double, east: Double)]) -> DrivenWay {
        var way = DrivenWay()
        for (seconds, east) in fixes { way.add(fix(seconds, east: east)) }
        return way
    }

    private func seconds(_ way: DrivenWay) -> [Double] { way.places.map { $0.time.timeIntervalSince(Self.start) } }

    @Test("fixes are sorted by their times, in whatever order they come; repeated ones and a standing car add nothing")
    func order() {
        let fixes = (0..<50).map { (seconds: Double($0) * 5, east: Double($0) * 40) }
        let inOrder = way(fixes)
        #expect(way(fixes.filter { $0.seconds != 100 } + [(100, 800)]) == inOrder && inOrder.places.count == 50)
        #expect(way(fixes.reversed()) == inOrder && way(fixes + fixes) == inOrder)
        #expect(way(fixes + [(247, 1_962), (250, 1_963), (260, 1_964)]) == inOrder)
    }

    @Test("fixes that the car cannot have reached are left out, and a phone that was asleep leaves a gap")
    func gaps() {
        let jumped = way([(0, 0), (10, 200), (20, 9_000), (30, 600), (15, -5_000)])
        #expect(seconds(jumped) == [0, 10, 30])
        let asleep = way([(0, 0), (10, 200), (1_210, 9_000), (1_220, 9_200)])
        #expect(asleep.parts.map { $0.map { $0.time.timeIntervalSince(Self.start) } } == [[0, 10], [1_210, 1_220]])
        var filled = asleep
        for late in stride(from: 110.0, through: 1_110, by: 100) { filled.add(fix(late, east: late * 7.4)) }
        #expect(filled.parts.count == 1 && filled.places.count == 15)
        #expect(way([(0, 0)]).parts.isEmpty && DrivenWay().parts.isEmpty)
    }

    @Test("the oldest points are dropped when there are too many")
    func bounded() {
        let long = way((0..<DrivenWay.largestCount + 10).map { (Double($0), Double($0) * 10) })
        #expect(long.places.count == DrivenWay.largestCount && seconds(long).first == 10)
    }
}
