import FleetEngine
import FoundationEssentials
import Testing

@Suite("Dates of HTTP headers")
struct HTTPDateTests {
    @Test("a date that is written can be read again", arguments: [0, 784_111_777, 951_782_399, 951_868_799, 4_107_542_399, 1_767_225_600])
    func roundTrip(seconds: Int) {
        let moment = Date(timeIntervalSince1970: Double(seconds))
        #expect(HTTPDate.parse(HTTPDate.text(moment)) == moment)
    }

    @Test("a date has the form that RFC 9110 requires, without fractions")
    func form() {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 784_111_777.9)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 951_782_400)) == "Tue, 29 Feb 2000 00:00:00 GMT")
    }
}
