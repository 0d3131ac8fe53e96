import FleetEngine
import Testing
import TripWatchApp

@Suite("Words of failures")
struct FailureWordsTests {
    private let hostile = "no\u{202e}b\u{1b}[2Jc\u{2066}d\u{7}\u{9b}31m"

    @Test("what a server says loses controls and bidi characters, wherever it stands", arguments: StatusCode.allCases)
    func hostileText(code: StatusCode) {
        let disabled = ErrorDetail.errorInfo(reason: "SERVICE_DISABLED", domain: hostile, metadata: ["activationUrl": "https://\(hostile)"])
        let error = FleetEngineError(code: code, message: hostile, details: [disabled], requestID: hostile)
        for isServerFault in [false, true] {
            let sentence = FailureWords(error, error.errorClass(), isServerFault: isServerFault).sentence
            #expect(sentence.contains("nob[2Jcd31m"))
            #expect(!sentence.unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) }, "\(sentence)")
        }
    }

    @Test("the address that switches the service on is in the advice")
    func activation() {
        let disabled = ErrorDetail.errorInfo(
            reason: "SERVICE_DISABLED", domain: "googleapis.com", metadata: ["activationUrl": "https://console.example/enable"])
        let error = FleetEngineError(code: .permissionDenied, message: "", details: [disabled])
        #expect(FailureWords(error, error.errorClass()).advice?.hasSuffix("https://console.example/enable") == true)
    }
}
