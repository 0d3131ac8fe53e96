import FleetEngine

/// The reason why an HTTP request is not a call of the API, or why the call was refused.
package struct RESTRefusal: Error, Hashable, Sendable {
    /// HTTP status.
    var httpStatus: Int
    var error: FleetEngineError
    /// The HTTP methods that the path supports; sent with status 405.
    var allowed: [String] = []

    static let noSuchPath = RESTRefusal(
        httpStatus: 404, error: FleetEngineError(code: .notFound, message: "Fleet Engine's API has no such path"))

    static func noSuchMethod(allowed: [String]) -> RESTRefusal {
        RESTRefusal(
            httpStatus: 405,
            error: FleetEngineError(code: .unimplemented, message: "this path accepts only \(allowed.joined(separator: ", "))"),
            allowed: allowed
        )
    }
}

extension RESTRefusal {
    /// Creates the refusal for an error of the engine.
    init(_ error: FleetEngineError) { self.init(httpStatus: error.code.httpStatus, error: error) }
}
