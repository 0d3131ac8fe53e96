import FleetEngine
import FoundationEssentials

/// Error in the JSON format of Google's APIs: `{"error":{"code":404,"message":"…","status":"NOT_FOUND","details":[…]}}`.
struct RESTErrorBody: Encodable, Sendable {
    private struct Content: Encodable, Sendable {
        /// HTTP status.
        let code: Int
        let message: String
        /// Name of the gRPC status code.
        let status: String
        /// The details; nil leaves out the member.
        let details: [RESTErrorDetail]?
    }

    private let error: Content

    init(_ refusal: RESTRefusal) {
        let details = refusal.error.details.map(RESTErrorDetail.init)
        error = Content(
            code: refusal.httpStatus, message: refusal.error.message, status: refusal.error.code.name,
            details: details.isEmpty ? nil : details)
    }

    var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)) ?? Data("{}".utf8)
    }
}

/// An error detail as the JSON of a `google.protobuf.Any`: a message of `google.rpc` with its type as an additional member.
struct RESTErrorDetail: Encodable, Sendable {
    private let detail: ErrorDetail

    init(_ detail: ErrorDetail) { self.detail = detail }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        func write(_ type: String, _ name: String, _ value: some Encodable) throws {
            try members.encode("type.googleapis.com/google.rpc." + type, forKey: Key("@type"))
            try members.encode(value, forKey: Key(name))
        }
        switch detail {
        case .badRequest(let all):
            try write("BadRequest", "fieldViolations", all.map { ["field": $0.field, "description": $0.description] })
        case .preconditionFailure(let all):
            try write(
                "PreconditionFailure", "violations", all.map { ["type": $0.type, "subject": $0.subject, "description": $0.description] })
        case .quotaFailure(let all):
            try write("QuotaFailure", "violations", all.map { ["subject": $0.subject, "description": $0.description] })
        case .errorInfo(let reason, let domain, let metadata):
            try write("ErrorInfo", "reason", reason)
            try members.encode(domain, forKey: Key("domain"))
            try members.encode(metadata, forKey: Key("metadata"))
        case .retryInfo(let seconds): try write("RetryInfo", "retryDelay", Self.duration(seconds))
        case .help(let links): try write("Help", "links", links.map { ["description": $0.description, "url": $0.url] })
        case .localizedMessage(let locale, let message):
            try write("LocalizedMessage", "locale", locale)
            try members.encode(message, forKey: Key("message"))
        }
    }

    /// Returns a duration in the format of proto3 JSON, such as `1.500s`. Values above one day count as one day.
    private static func duration(_ seconds: Double) -> String {
        let milliseconds = Int((min(max(seconds.isNaN ? 0 : seconds, 0), 86_400) * 1_000).rounded())
        let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
        return "\(milliseconds / 1_000)" + (fraction == "000" ? "" : ".\(fraction)") + "s"
    }
}
