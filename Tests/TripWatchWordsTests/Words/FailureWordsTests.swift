import FleetEngine
import Testing
import TripWatchWords

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

    @Test(
        "a sentence is true: what failed, and a code only where a server gave it",
        arguments: [
            (StatusCode.unavailable, .network, false, "The server cannot be reached (why)."),
            (.unavailable, .network, true, "Connection lost (why)."),
            (.unavailable, .server, true, "The server is not available (UNAVAILABLE: why)."),
            (.deadlineExceeded, .local, true, "The server is slow (why)."),
            (.internal, .local, true, "Why."),
            (.internal, .server, true, "The server answered with an error of its own (INTERNAL: why)."),
            (.unavailable, .tokenSource, true, "The token source does not answer (why)."),
            (.unavailable, .tls, true, "No trusted connection to the server (why). Check --endpoint and --ca."),
        ] as [(StatusCode, FleetEngineError.Origin, Bool, String)])
    func sentences(code: StatusCode, origin: FleetEngineError.Origin, serverWasHeard: Bool, expected: String) {
        let error = FleetEngineError(code: code, message: "why", origin: origin)
        #expect(FleetEngineError(code: code, message: "", origin: origin).errorClass() == error.errorClass())
        #expect(FailureWords(error, error.errorClass(), serverWasHeard: serverWasHeard).sentence == expected)
    }

    @Test("what to do begins with what to do, and of a trip that is not there no more is asked than its name")
    func advice() {
        func advice(_ action: RequiredAction, _ code: StatusCode, isPolled: Bool = false) -> String? {
            FailureWords(FleetEngineError(code: code, message: ""), .actionRequired(action), isPolled: isPolled).advice
        }
        #expect(advice(.checkTripName, .notFound) == "Check the name; 'tripwatch list' shows yours.")
        #expect(advice(.checkTripName, .invalidArgument) == "Check the name; the form is providers/{provider}/trips/{trip}.")
        #expect(advice(.checkTripExists, .notFound)?.hasPrefix("Ask the provider") == true)
        #expect(advice(.waitForQuota, .resourceExhausted, isPolled: true)?.hasPrefix("Choose a longer --interval") == true)
        #expect(advice(.waitForQuota, .resourceExhausted) == "Wait a while before the next try.")
    }

    @Test("the address that switches the service on is in the advice")
    func activation() {
        let disabled = ErrorDetail.errorInfo(
            reason: "SERVICE_DISABLED", domain: "googleapis.com", metadata: ["activationUrl": "https://console.example/enable"])
        let error = FleetEngineError(code: .permissionDenied, message: "", details: [disabled])
        #expect(FailureWords(error, error.errorClass()).advice?.hasSuffix("https://console.example/enable") == true)
    }
}
