import FleetEngine
import Testing
import TripWatchWords

@Suite("Words of failures")
struct FailureWordsTests {
    private let hostile = "no\u{202e}b\u{1b}[2Jc\u{2066}d\u{7}\u{9b}31m"

    @Test("a server's text loses control and bidi characters, wherever it is shown", arguments: StatusCode.allCases)
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
        "a sentence states what failed, and a code only if a server sent it; a line has no code",
        arguments: [
            (StatusCode.unavailable, .network, false, "The server cannot be reached (why)."),
            (.unavailable, .network, true, "Connection lost (why)."),
            (.unavailable, .server, true, "The server is not available (UNAVAILABLE: why)."),
            (.deadlineExceeded, .local, true, "The server is slow (why)."),
            (
                .deadlineExceeded, .server, true,
                "The server is slow (DEADLINE_EXCEEDED: why). A proxy's time limit may be shorter than tripwatch's, which is 15 s."
            ),
            (.internal, .local, true, "Why."),
            (.internal, .server, true, "The server reported an internal error (INTERNAL: why)."),
            (.unavailable, .tokenSource, true, "The token source gave no token (why)."),
            (.unavailable, .tls, true, "The connection to the server is not trusted (why). Check --endpoint and --ca."),
        ] as [(StatusCode, FleetEngineError.Origin, Bool, String)])
    func sentences(code: StatusCode, origin: FleetEngineError.Origin, serverWasHeard: Bool, expected: String) {
        let error = FleetEngineError(code: code, message: "why", origin: origin)
        #expect(FleetEngineError(code: code, message: "", origin: origin).errorClass() == error.errorClass())
        let words = FailureWords(error, error.errorClass(), serverWasHeard: serverWasHeard)
        #expect(words.sentence == expected)
        #expect(words.line == (origin == .server ? words.spoken : expected))
    }

    @Test("a line says that the answer was HTTP and not gRPC", arguments: [StatusCode.unauthenticated, .unavailable])
    func http(code: StatusCode) {
        let error = FleetEngineError(code: code, message: "the server answered with HTTP 403 instead of gRPC", httpStatus: 403)
        let words = FailureWords(error, error.errorClass())
        #expect(words.line.contains("(the server answered with HTTP 403 instead of gRPC)."))
        #expect(!words.line.contains(code.name))
    }

    @Test(
        "an HTTP error in place of gRPC has the words and the advice of the gRPC status that it stands for",
        arguments: [
            (504, true, "The server is slow (why). A proxy's time limit may be shorter than tripwatch's, which is 15 s."),
            (429, true, "Too many requests (why). Choose a longer --interval."), (429, false, "Too many requests (why)."),
            (503, true, "The server is not available (why)."),
        ])
    func proxy(status: Int, isPolled: Bool, expected: String) {
        let error = FleetEngineError(code: .unavailable, message: "why", httpStatus: status)
        #expect(FailureWords(error, error.errorClass(), isPolled: isPolled).line == expected)
    }

    @Test(
        "a link's server that answers with an HTTP error does not count as out of reach",
        arguments: [(429, "Too many requests (HTTP 429)."), (503, "The server is not available (HTTP 503).")])
    func answeringLink(status: Int, expected: String) {
        let error = FleetEngineError(code: .unavailable, message: "HTTP \(status)", origin: .network, httpStatus: status)
        for serverWasHeard in [false, true] {
            #expect(FailureWords(error, error.errorClass(), serverWasHeard: serverWasHeard).sentence == expected)
        }
        #expect(FailureWords.isAnswer(error))
        let source = FleetEngineError(code: .unavailable, message: "HTTP \(status)", origin: .tokenSource, httpStatus: status)
        #expect(!FailureWords.isAnswer(source))
    }

    @Test("the instruction begins with the action; for a trip that does not exist, it only asks to check the name")
    func advice() {
        func advice(_ action: RequiredAction, _ code: StatusCode, isPolled: Bool = false) -> String? {
            FailureWords(FleetEngineError(code: code, message: ""), .actionRequired(action), isPolled: isPolled).advice
        }
        #expect(advice(.checkTripName, .notFound) == "Check the name; see 'tripwatch list'.")
        #expect(advice(.checkTripName, .invalidArgument) == "Check the name; its form is providers/PROVIDER/trips/TRIP.")
        #expect(advice(.checkTripExists, .notFound)?.hasPrefix("Ask the provider") == true)
        #expect(advice(.waitForQuota, .resourceExhausted, isPolled: true)?.hasPrefix("Choose a longer --interval") == true)
        #expect(advice(.waitForQuota, .resourceExhausted) == "Wait a while before you try again.")
    }

    private func words(_ code: StatusCode, _ details: [ErrorDetail]) -> FailureWords {
        let error = FleetEngineError(code: code, message: "", details: details)
        return FailureWords(error, error.errorClass(), isPolled: true)
    }

    @Test("a service that is not enabled is reported as such, with the address that enables it, if known")
    func activation() {
        for (metadata, advice) in [
            ([:], "Ask the provider to enable Fleet Engine."),
            (
                ["activationUrl": "https://console.example/enable"],
                "Ask the provider to enable Fleet Engine: https://console.example/enable"
            ),
        ] as [([String: String], String)] {
            let words = words(
                .permissionDenied, [.errorInfo(reason: "SERVICE_DISABLED", domain: "googleapis.com", metadata: metadata)])
            #expect(words.meaning == "Fleet Engine is not enabled for the provider's project")
            #expect(words.advice == advice)
        }
    }

    @Test(
        "a driver's words are about the vehicle and the role 'driver', not about a trip",
        arguments: [
            (StatusCode.permissionDenied, "This token is not allowed to drive this vehicle", "has the role 'driver'."),
            (.notFound, "The server does not know this vehicle", "or start with --create."),
            (.invalidArgument, "The server does not accept the request", "Ask the provider."),
            (.unauthenticated, "The token is not valid or has expired", "Get a new token."),
        ])
    func driver(code: StatusCode, meaning: String, advice: String) throws {
        let words = FailureWords.forDriver(FleetEngineError(code: code, message: "", origin: .server))
        #expect(words.meaning == meaning && words.advice?.hasSuffix(advice) == true, "\(words)")
    }

    @Test("a quota of zero is the provider's to raise, a rate is the user's to lower")
    func quotas() {
        func limit(_ value: String) -> ErrorDetail {
            .errorInfo(reason: "RATE_LIMIT_EXCEEDED", domain: "googleapis.com", metadata: ["quota_limit_value": value])
        }
        let zero = words(.resourceExhausted, [limit("0")])
        #expect(zero.meaning == "The provider has no quota for this request")
        #expect(zero.advice == "Ask the provider for more quota; waiting does not help.")
        for details in [[limit("600")], [.retryInfo(delaySeconds: 1)]] {
            let rate = words(.resourceExhausted, details)
            #expect(rate.meaning == "Too many requests")
            #expect(rate.advice == "Choose a longer --interval if this happens often; the program tries again by itself.")
        }
        #expect(words(.resourceExhausted, []).meaning == "The server's quota is used up")
    }
}
