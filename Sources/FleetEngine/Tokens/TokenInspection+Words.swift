import FoundationEssentials

extension TokenInspection {
    /// The inspection as lines of plain text: facts first, then a line for each warning.
    public var lines: [String] {
        var lines = ["token      \(byteCount) bytes, not shown"]
        func add(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            let field = name + String(repeating: " ", count: max(1, 11 - name.utf8.count))
            lines.append(field + ForeignText.line(value))
        }
        if let claims {
            add("algorithm", claims.algorithm)
            add("key", claims.keyID)
            add("issuer", claims.issuer)
            add("subject", claims.subject == claims.issuer ? nil : claims.subject)
            add("audience", claims.audience.joined(separator: ", "))
            add("trip", claims.tripID.map(Self.id))
            add("vehicle", claims.vehicleID.map(Self.id))
            add("shipment", claims.trackingID.map(Self.id))
            add("task", claims.taskID.map(Self.id))
            add("tasks", claims.taskIDs.map(Self.id).joined(separator: ", "))
            add("van", claims.deliveryVehicleID.map(Self.id))
            add("trusted", claims.isTrusted ? "yes: can change stops and tasks" : nil)
            add("read-only", claims.isReadOnly ? "yes: cannot change anything" : nil)
            add("also for", claims.otherAuthorizations.joined(separator: ", "))
            add("issued", claims.issuedAt.map { Self.moment($0, from: inspectedAt) })
            add("not before", claims.notBefore.map { Self.moment($0, from: inspectedAt) })
        }
        add("expires", expiresAt.map { Self.moment($0, from: inspectedAt) } ?? "unknown")
        add("claims", claims?.otherClaims.joined(separator: ", "))
        return lines + warnings.map { ($0.isFatal ? "error: " : "warning: ") + words($0) }
    }

    /// Returns the meaning of a warning, as one sentence without a full stop.
    public func words(_ warning: Warning) -> String {
        switch warning {
        case .notAJSONWebToken: "this is not a JSON Web Token; Fleet Engine accepts nothing else"
        case .expired: "it has expired: get a new one"
        case .notYetValid: "it is not valid yet: the clock of this machine or of the token's issuer may be wrong"
        case .noExpiry: "its expiry time is not known"
        case .lifetimeTooLong:
            "its lifetime is \(Self.span(lifeSeconds ?? 0)); Fleet Engine accepts at most \(Self.span(Self.longestLifeSeconds))"
        case .wrongAudience: "its audience is not \(Self.fleetEngineAudience)"
        case .noAuthorization: "it names no trip, vehicle or delivery: Fleet Engine accepts such a token only if an admin account signed it"
        case .otherTrip: "it is not for trip \(ForeignText.line(context.tripID ?? "", limit: 64))"
        case .otherVehicle: "it is not for vehicle \(ForeignText.line(context.vehicleID ?? "", limit: 64))"
        case .wildcard: "it is valid for any trip or vehicle: use such a token on a server, not in an app"
        case .unsigned: "it is not signed: only a local engine that does not check tokens accepts it"
        case .otherAlgorithm: "it is not signed with RS256, which Fleet Engine requires"
        }
    }

    private static func id(_ id: String) -> String { id == "*" ? "* (any)" : id }

    /// Returns a time with its distance from now: `2031-05-05T13:00:00Z (in 52 min)`.
    private static func moment(_ date: Date, from now: Date) -> String {
        let distance = date.timeIntervalSince(now)
        return date.rfc3339 + (distance >= 0 ? " (in \(span(distance)))" : " (\(span(-distance)) ago)")
    }

    /// Returns a time span in whole units, rounded down: `40 s`, `52 min`, `3 h 5 min`, `12 d`.
    package static func span(_ seconds: Double) -> String {
        guard let whole = Int(exactly: min(max(seconds.isNaN ? 0 : seconds, 0), 1e12).rounded(.down)) else { return "0 s" }
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3_600: return "\(whole / 60) min"
        case ..<172_800: return whole % 3_600 < 60 ? "\(whole / 3_600) h" : "\(whole / 3_600) h \(whole % 3_600 / 60) min"
        default: return "\(whole / 86_400) d"
        }
    }
}

extension TokenInspection: Encodable {
    private enum Key: String, CodingKey {
        case byteCount = "bytes"
        case isJSONWebToken = "is_jwt"
        case algorithm, type
        case keyID = "key_id"
        case issuer, subject, audience
        case tripID = "trip_id"
        case vehicleID = "vehicle_id"
        case trackingID = "tracking_id"
        case taskID = "task_id"
        case taskIDs = "task_ids"
        case deliveryVehicleID = "delivery_vehicle_id"
        case isTrusted = "trusted"
        case isReadOnly = "read_only"
        case otherAuthorizations = "other_authorizations"
        case issuedAt = "issued"
        case notBefore = "not_before"
        case expiresAt = "expires"
        case remaining = "remaining_s"
        case otherClaims = "other_claims"
        case warnings
    }

    /// Encodes the inspection with stable keys. Times are in RFC 3339; unknown values are null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(byteCount, forKey: .byteCount)
        try container.encode(claims != nil, forKey: .isJSONWebToken)
        try container.encode(claims?.algorithm, forKey: .algorithm)
        try container.encode(claims?.type, forKey: .type)
        try container.encode(claims?.keyID, forKey: .keyID)
        try container.encode(claims?.issuer, forKey: .issuer)
        try container.encode(claims?.subject, forKey: .subject)
        try container.encode(claims?.audience ?? [], forKey: .audience)
        try container.encode(claims?.tripID, forKey: .tripID)
        try container.encode(claims?.vehicleID, forKey: .vehicleID)
        try container.encode(claims?.trackingID, forKey: .trackingID)
        try container.encode(claims?.taskID, forKey: .taskID)
        try container.encode(claims?.taskIDs ?? [], forKey: .taskIDs)
        try container.encode(claims?.deliveryVehicleID, forKey: .deliveryVehicleID)
        try container.encode(claims?.isTrusted ?? false, forKey: .isTrusted)
        try container.encode(claims?.isReadOnly ?? false, forKey: .isReadOnly)
        try container.encode(claims?.otherAuthorizations ?? [], forKey: .otherAuthorizations)
        try container.encode(claims?.issuedAt?.rfc3339, forKey: .issuedAt)
        try container.encode(claims?.notBefore?.rfc3339, forKey: .notBefore)
        try container.encode(expiresAt?.rfc3339, forKey: .expiresAt)
        try container.encode(remainingSeconds?.rounded(), forKey: .remaining)
        try container.encode(claims?.otherClaims ?? [], forKey: .otherClaims)
        try container.encode(warnings.map(\.rawValue), forKey: .warnings)
    }
}

extension Date {
    /// The date in RFC 3339, clamped to the years 1 to 9999, because the format has four digits for the year.
    fileprivate var rfc3339: String {
        Date(timeIntervalSince1970: min(max(timeIntervalSince1970, -62_135_596_800), Self.lastTokenSecond)).formatted(.iso8601)
    }
}
