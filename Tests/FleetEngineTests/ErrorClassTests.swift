import FleetEngine
import Geo
import Testing

@Suite("Error classes")
struct ErrorClassTests {
    @Test(
        "each code has its class",
        arguments: [
            (StatusCode.cancelled, ErrorClass.retryable), (.unknown, .retryable), (.invalidArgument, .actionRequired(.checkTripName)),
            (.deadlineExceeded, .retryable), (.notFound, .actionRequired(.checkTripName)),
            (.alreadyExists, .actionRequired(.contactProvider)),
            (.permissionDenied, .actionRequired(.checkPermission)), (.resourceExhausted, .actionRequired(.waitForQuota)),
            (.failedPrecondition, .actionRequired(.contactProvider)), (.aborted, .retryable),
            (.outOfRange, .actionRequired(.updateTripwatch)),
            (.unimplemented, .actionRequired(.checkAddress)), (.internal, .retryable), (.unavailable, .retryable),
            (.dataLoss, .actionRequired(.contactProvider)), (.unauthenticated, .actionRequired(.getNewToken)),
        ])
    func table(code: StatusCode, expected: ErrorClass) {
        #expect(FleetEngineError(code: code, message: "").errorClass() == expected)
    }

    @Test("if the API is not enabled for the project, the provider must act, and no other token helps")
    func notEnabled() {
        let info = ErrorDetail.errorInfo(reason: "SERVICE_DISABLED", domain: "googleapis.com", metadata: [:])
        let error = FleetEngineError(code: .permissionDenied, message: "", details: [info])
        #expect(error.errorClass() == .actionRequired(.contactProvider))
    }

    @Test("NOT_FOUND for a trip that was seen before means that it has gone")
    func seen() {
        #expect(FleetEngineError(code: .notFound, message: "").errorClass(tripWasSeen: true) == .actionRequired(.checkTripExists))
    }

    @Test("certificate errors require the user, a refused connection does not")
    func origins() {
        #expect(FleetEngineError(code: .unavailable, message: "", origin: .tls).errorClass() == .actionRequired(.checkCertificate))
        #expect(FleetEngineError(code: .unavailable, message: "", origin: .network).errorClass() == .retryable)
    }

    @Test("codes are shown only if a server sent them")
    func descriptions() {
        #expect(FleetEngineError(code: .notFound, message: "no trip").description == "NOT_FOUND: no trip")
        #expect(FleetEngineError(code: .unavailable, message: "connection refused", origin: .network).description == "connection refused")
        #expect(FleetEngineError.Origin.allCases.map(\.rawValue) == ["server", "network", "tls", "token_source", "local"])
    }

    @Test("a single call is repeated only if the server is unavailable")
    func callRetry() {
        var random = SeededRandom(seed: 1)
        for (origin, code, isRepeated) in [
            (FleetEngineError.Origin.network, StatusCode.unavailable, true), (.server, .unavailable, true), (.tls, .unavailable, false),
            (.local, .deadlineExceeded, false), (.local, .internal, false),
        ] {
            var retry = CallRetry()
            let error = FleetEngineError(code: code, message: "", origin: origin)
            #expect((retry.delaySeconds(after: error, random: &random) != nil) == isRepeated, "\(origin) \(code)")
        }
    }

    @Test("a token source that refuses requires the user, one that is down does not")
    func tokenSource() {
        #expect(AccessTokenError.missingData("HTML").fleetEngineError.errorClass() == .actionRequired(.checkTokenSource))
        #expect(AccessTokenError.missingAuthorizationContext.fleetEngineError.code == .unauthenticated)
        #expect(AccessTokenError.transport("down").fleetEngineError.errorClass() == .retryable)
    }

    @Test("a clock that is wrong by more than a minute is reported instead of the token")
    func clock() {
        var error = FleetEngineError(code: .unauthenticated, message: "", clockOffsetSeconds: -61)
        #expect(error.errorClass() == .actionRequired(.checkClock))
        error.clockOffsetSeconds = 59
        #expect(error.errorClass() == .actionRequired(.getNewToken))
    }

    @Test("codes have their numbers and names", arguments: StatusCode.allCases)
    func codes(code: StatusCode) {
        #expect(StatusCode(number: code.rawValue) == code)
        #expect(StatusCode(name: code.name) == code)
    }

    @Test("INTERRUPTED is accepted and temporary; unknown numbers are UNKNOWN")
    func odd() throws {
        let code = try #require(StatusCode(name: "INTERRUPTED"))
        #expect(FleetEngineError(code: code, message: "").errorClass() == .retryable)
        #expect(StatusCode(name: "NOPE") == nil)
        #expect(StatusCode(number: 99) == .unknown)
    }

    @Test("the longest wait that a server requests counts; impossible ones do not")
    func retryInfo() {
        let error = FleetEngineError(
            code: .unavailable, message: "",
            details: [
                .retryInfo(delaySeconds: 3), .retryInfo(delaySeconds: .infinity), .retryInfo(delaySeconds: 7), .retryInfo(delaySeconds: -1),
            ])
        #expect(error.retryDelaySeconds == 7)
    }

    @Test("a quota of zero is never refilled, and only a rate can be lowered")
    func quotas() {
        func error(_ code: StatusCode, limit: String) -> FleetEngineError {
            let info = ErrorDetail.errorInfo(
                reason: "RATE_LIMIT_EXCEEDED", domain: "googleapis.com", metadata: ["quota_limit_value": limit])
            return FleetEngineError(code: code, message: "", details: [info])
        }
        let zero = error(.resourceExhausted, limit: "0")
        #expect(zero.isQuotaZero && !zero.isRateExceeded && zero.errorClass() == .actionRequired(.contactProvider))
        let rate = error(.resourceExhausted, limit: "60")
        #expect(!rate.isQuotaZero && rate.isRateExceeded && rate.errorClass() == .actionRequired(.waitForQuota))
        #expect(!error(.unavailable, limit: "0").isQuotaZero && !error(.unavailable, limit: "60").isRateExceeded)
        #expect(!FleetEngineError(code: .resourceExhausted, message: "").isRateExceeded)
    }
}
