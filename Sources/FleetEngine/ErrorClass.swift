/// Whether a failure passes by itself or needs the user. The class sets pace and words; polling never ends because of it.
///
/// Source: the two tables of the Consumer SDK's error page, completed for the codes it leaves out.
public enum ErrorClass: Hashable, Sendable {
    /// The same call may succeed later without anyone doing something.
    case retryable
    /// The call goes on failing until the user does this one thing.
    case actionRequired(RequiredAction)

    /// The word in output.
    public var name: String {
        switch self {
        case .retryable: "retryable"
        case .actionRequired: "action_required"
        }
    }
}

/// The one thing that the user can do about a failure. Raw values are the words in output.
public enum RequiredAction: String, CaseIterable, Hashable, Sendable {
    /// The name is malformed, or Fleet Engine has never had such a trip: look at the id and the provider.
    case checkTripName = "check_trip_name"
    /// The trip was there and has gone: ask the provider whether it still exists.
    case checkTripExists = "check_trip_exists"
    /// The token has expired or was not accepted: get another one.
    case getNewToken = "get_new_token"
    /// The token source itself failed: look at its file, command or URL.
    case checkTokenSource = "check_token_source"
    /// The token is accepted, but not for this trip or this call.
    case checkPermission = "check_permission"
    /// The provider's quota is used up; it fills again with time.
    case waitForQuota = "wait_for_quota"
    /// The server does not know the method: the address is probably not a Fleet Engine's.
    case checkAddress = "check_address"
    /// The server's certificate was not accepted.
    case checkCertificate = "check_certificate"
    /// This machine's clock differs from the server's by more than `FleetEngineError.clockToleranceSeconds`, so that no token is valid.
    case checkClock = "check_clock"
    /// The request is outside what the server supports: a newer program is needed.
    case updateTripwatch = "update_tripwatch"
    /// Nothing can be done here; the provider has to look.
    case contactProvider = "contact_provider"
}

extension FleetEngineError {
    /// Clocks that differ by more than this make tokens fail, seconds.
    public static let clockToleranceSeconds = 60.0

    /// The class of this failure.
    /// - Parameter tripWasSeen: whether the trip had been read before, so that a missing one has gone rather than never been.
    public func errorClass(tripWasSeen: Bool = false) -> ErrorClass {
        switch origin {
        case .tls: return .actionRequired(.checkCertificate)
        case .tokenSource: return isRetryableByCode ? .retryable : .actionRequired(.checkTokenSource)
        case .server, .network, .local: break
        }
        if isRetryableByCode { return .retryable }
        switch code {
        case .invalidArgument: return .actionRequired(.checkTripName)
        case .notFound: return .actionRequired(tripWasSeen ? .checkTripExists : .checkTripName)
        case .permissionDenied: return .actionRequired(isTokenExpired || lacksToken && reason == nil ? .getNewToken : .checkPermission)
        case .unauthenticated: return .actionRequired(isClockWrong && !lacksToken ? .checkClock : .getNewToken)
        case .resourceExhausted: return .actionRequired(isQuotaZero ? .contactProvider : .waitForQuota)
        case .unimplemented: return .actionRequired(.checkAddress)
        case .outOfRange: return .actionRequired(.updateTripwatch)
        default: return .actionRequired(.contactProvider)
        }
    }

    /// The project has no quota for the call at all, so that waiting does not help: RESOURCE_EXHAUSTED with an `ErrorInfo` whose
    /// `quota_limit_value` is 0.
    public var isQuotaZero: Bool {
        guard code == .resourceExhausted else { return false }
        for case .errorInfo(_, _, let metadata) in details where metadata["quota_limit_value"] == "0" { return true }
        return false
    }

    /// Calls came faster than a quota allows, so that slower ones succeed: RESOURCE_EXHAUSTED that gives this as the reason or says when
    /// to try again.
    public var isRateExceeded: Bool {
        code == .resourceExhausted && !isQuotaZero && (reason == "RATE_LIMIT_EXCEEDED" || retryDelaySeconds != nil)
    }

    /// The API is not enabled for the caller's project, whatever the token: PERMISSION_DENIED with the reason `SERVICE_DISABLED`.
    public var isServiceDisabled: Bool { code == .permissionDenied && reason == "SERVICE_DISABLED" }

    /// The server did not accept the token, so another one may help.
    public var isAboutToken: Bool { origin == .server && (code == .unauthenticated || code == .permissionDenied) }

    private var isRetryableByCode: Bool {
        switch code {
        case .cancelled, .unknown, .deadlineExceeded, .aborted, .internal, .unavailable: true
        default: false
        }
    }

    private var isTokenExpired: Bool { reason == "ACCESS_TOKEN_EXPIRED" }

    private var isClockWrong: Bool { abs(clockOffsetSeconds ?? 0) > Self.clockToleranceSeconds }
}
