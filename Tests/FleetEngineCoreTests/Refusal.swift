import FleetEngine
import Testing

/// Runs a request that the engine must refuse. Checks the code of the error, and also the field in its details if `field` is given.
/// - Returns: the error; nil if the request succeeds, or fails with something other than a `FleetEngineError`.
@discardableResult
func refusal(
    _ code: StatusCode, field: String? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> FleetEngineError? {
    do {
        try body()
        Issue.record("was not refused, \(code.name) expected", sourceLocation: sourceLocation)
    } catch let error as FleetEngineError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
        if let field {
            let fields = error.details.flatMap { detail -> [String] in
                if case .badRequest(let violations) = detail { violations.map(\.field) } else { [] }
            }
            #expect(fields == [field], "\(error)", sourceLocation: sourceLocation)
        }
        return error
    } catch {
        Issue.record("not a FleetEngineError: \(error)", sourceLocation: sourceLocation)
    }
    return nil
}

/// A change that makes a request invalid, and the field that the refusal must name.
struct Fault<Request>: Sendable, CustomTestStringConvertible {
    let field: String
    let change: @Sendable (inout Request) -> Void

    init(_ field: String, _ change: @escaping @Sendable (inout Request) -> Void) {
        self.field = field
        self.change = change
    }

    var testDescription: String { field }
}
