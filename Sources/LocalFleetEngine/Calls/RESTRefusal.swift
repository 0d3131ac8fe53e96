import FleetEngine

/// Why a request is no call at all, or was not carried out.
struct RESTRefusal: Error, Hashable, Sendable {
    /// An HTTP status.
    var httpStatus: Int
    var error: FleetEngineError
    /// The methods that the path has, for 405.
    var allowed: [String] = []

    static let noSuchPath = RESTRefusal(
        httpStatus: 404, error: FleetEngineError(code: .notFound, message: "there is no such path in Fleet Engine's API"))

    static func noSuchMethod(allowed: [String]) -> RESTRefusal {
        RESTRefusal(
            httpStatus: 405,
            error: FleetEngineError(code: .unimplemented, message: "this path answers \(allowed.joined(separator: ", "))"), allowed: allowed
        )
    }
}

extension RESTRefusal {
    /// A call that the engine refused.
    init(_ error: FleetEngineError) { self.init(httpStatus: error.code.httpStatus, error: error) }
}
