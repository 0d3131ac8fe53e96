/// The errors that a server returns when it refuses a call, with the details that Google's services send.
extension FleetEngineError {
    /// Returns INVALID_ARGUMENT with the invalid field as a `BadRequest` detail.
    package static func invalid(_ field: String, _ sentence: String) -> FleetEngineError {
        FleetEngineError(
            code: .invalidArgument, message: sentence,
            details: [.badRequest([ErrorDetail.FieldViolation(field: field, description: sentence)])])
    }

    /// Returns an error about a token, with the reason as an `ErrorInfo` detail.
    ///
    /// - Parameters:
    ///   - code: UNAUTHENTICATED or PERMISSION_DENIED.
    ///   - reason: the word that Google's APIs use for the reason.
    package static func refusedToken(_ code: StatusCode, _ sentence: String, reason: String) -> FleetEngineError {
        let info = ErrorDetail.errorInfo(reason: reason, domain: "googleapis.com", metadata: ["service": "fleetengine.googleapis.com"])
        return FleetEngineError(code: code, message: sentence, details: [info])
    }

    package static func notFound(_ kind: String, _ name: some CustomStringConvertible) -> FleetEngineError {
        FleetEngineError(code: .notFound, message: "no \(kind) is named \(shown(name.description))")
    }

    package static func alreadyExists(_ kind: String, _ name: some CustomStringConvertible) -> FleetEngineError {
        FleetEngineError(code: .alreadyExists, message: "a \(kind) named \(shown(name.description)) already exists")
    }

    /// Returns FAILED_PRECONDITION with the failed condition as a `PreconditionFailure` detail.
    package static func failedPrecondition(_ type: String, subject: String, _ sentence: String) -> FleetEngineError {
        let violation = ErrorDetail.PreconditionViolation(type: type, subject: subject, description: sentence)
        return FleetEngineError(code: .failedPrecondition, message: sentence, details: [.preconditionFailure([violation])])
    }

    /// Returns RESOURCE_EXHAUSTED with the exceeded limit as a `QuotaFailure` detail.
    package static func exhausted(_ subject: String, _ sentence: String) -> FleetEngineError {
        let violation = ErrorDetail.QuotaViolation(subject: subject, description: sentence)
        return FleetEngineError(code: .resourceExhausted, message: sentence, details: [.quotaFailure([violation])])
    }

    /// Returns a caller's text as messages show it: shortened, with control characters replaced.
    package static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(220)
        var safe = String.UnicodeScalarView()
        safe.append(contentsOf: scalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "\u{FFFD}" : $0 })
        return text.unicodeScalars.count > 220 ? String(safe) + "…" : String(safe)
    }
}
