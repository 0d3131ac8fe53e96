/// Whether a failed call may succeed later by itself or the user must act first. The class decides how soon calls are repeated and which
/// words the user sees. It never ends polling.
///
/// Source: the two tables on the error page of the Consumer SDK. Codes that the page leaves out were added.
public enum ErrorClass: Hashable, Sendable {
    /// The same call may succeed later without any action.
    case retryable
    /// The call keeps failing until the user takes this action.
    case actionRequired(RequiredAction)

    /// The word for the class in the output.
    public var name: String {
        switch self {
        case .retryable: "retryable"
        case .actionRequired: "action_required"
        }
    }
}

/// The one action that the user can take in response to a failure. The raw values are the words in the output.
public enum RequiredAction: String, CaseIterable, Hashable, Sendable {
    /// The name is malformed, or Fleet Engine has never had such a trip. The user should check the id and the provider.
    case checkTripName = "check_trip_name"
    /// The trip existed and is gone. The user should ask the provider about it.
    case checkTripExists = "check_trip_exists"
    /// The token has expired or was not accepted. The user should get a new token.
    case getNewToken = "get_new_token"
    /// The token source itself failed. The user should check its file, command or URL.
    case checkTokenSource = "check_token_source"
    /// The server accepts the token, but not for this trip or this call.
    case checkPermission = "check_permission"
    /// The provider's quota is used up; it recovers with time.
    case waitForQuota = "wait_for_quota"
    /// The server does not know the method. It is probably not a Fleet Engine server, so the user should check its address.
    case checkAddress = "check_address"
    /// The server's certificate was not accepted.
    case checkCertificate = "check_certificate"
    /// This machine's clock differs from the server's by more than `FleetEngineError.clockToleranceSeconds`, so that no token is valid.
    case checkClock = "check_clock"
    /// A value in the request is outside the range that the server supports. A newer version of this program is needed.
    case updateTripwatch = "update_tripwatch"
    /// The user can do nothing; the provider has to look into the failure.
    case contactProvider = "contact_provider"
}

extension FleetEngineError {
    /// The largest difference between the client's and the server's clocks with which tokens are still valid, in seconds.
    public static let clockToleranceSeconds = 60.0

    /// Returns the class of this failure.
    /// - Parameter tripWasSeen: whether the trip has been read before. If so, NOT_FOUND means that the trip is gone; otherwise, that its
    ///   name is wrong.
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
        case .permissionDenied where isServiceDisabled: return .actionRequired(.contactProvider)
        case .permissionDenied: return .actionRequired(isTokenExpired || lacksToken && reason == nil ? .getNewToken : .checkPermission)
        case .unauthenticated: return .actionRequired(isClockWrong && !lacksToken ? .checkClock : .getNewToken)
        case .resourceExhausted: return .actionRequired(isQuotaZero ? .contactProvider : .waitForQuota)
        case .unimplemented: return .actionRequired(.checkAddress)
        case .outOfRange: return .actionRequired(.updateTripwatch)
        default: return .actionRequired(.contactProvider)
        }
    }

    /// Whether the project has no quota for the call at all, so waiting does not help. The error is RESOURCE_EXHAUSTED with an `ErrorInfo`
    /// whose `quota_limit_value` is 0.
    public var isQuotaZero: Bool {
        guard code == .resourceExhausted else { return false }
        for case .errorInfo(_, _, let metadata) in details where metadata["quota_limit_value"] == "0" { return true }
        return false
    }

    /// Whether calls came faster than a quota allows, so calls at a lower rate would succeed. The error is RESOURCE_EXHAUSTED with
    /// the reason `RATE_LIMIT_EXCEEDED` or with a time to wait.
    public var isRateExceeded: Bool {
        code == .resourceExhausted && !isQuotaZero && (reason == "RATE_LIMIT_EXCEEDED" || retryDelaySeconds != nil)
    }

    /// Whether the API is disabled for the caller's project, so another token would not help. The error is PERMISSION_DENIED with the reason
    /// `SERVICE_DISABLED`.
    public var isServiceDisabled: Bool { code == .permissionDenied && reason == "SERVICE_DISABLED" }

    /// Whether the server rejected the token, so that another token may help.
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
