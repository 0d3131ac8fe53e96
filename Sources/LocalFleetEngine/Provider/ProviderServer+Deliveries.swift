import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import FleetEngineSnapshot
import FleetEngineWire
import FoundationEssentials
import HTTPServing
import Hummingbird
import NIOCore
import SwiftProtobuf

extension ProviderServer {
    /// Adds the routes of the API of Google's last-mile sample.
    func addDeliveries(_ router: Router<BasicRequestContext>) {
        addManifests(router)
        router.get("task/:id") { request, context in try await task(request, context) }
        router.get("tasks") { request, _ in try await tasks(request) }
        router.get("taskInfoByTrackingId/:id") { _, context in
            try await answer(keys: .convertToSnakeCase) { () throws(FleetEngineError) in
                try planned(desk.deliveries.plannedTask(tracking: try id(context)))
            }
        }
        router.get("delivery_vehicle/:id") { _, context in
            try await answerMessage { () throws(FleetEngineError) in try await desk.deliveries.vehicle(try id(context)) }
        }
        router.post("delivery_vehicle/:id") { request, context in try await setState(request, context) }
        router.put("delivery_vehicle/:id") { request, context in try await setStops(request, context) }
        for method in [HTTPRequest.Method.post, .put] {
            router.on("task/:id", method: method) { request, context in try await setOutcome(request, context) }
        }
    }

    func deliveryToken(_ kind: DeliveryTokenKind, _ context: BasicRequestContext) async throws -> Response {
        var response = try await answer(keys: .convertToSnakeCase) { () throws(FleetEngineError) in
            try await desk.token(kind, id: kind == .fleetReader ? "" : try id(context), signedBy: gate)
        }
        response.headers[.cacheControl] = "no-store"
        return response
    }

    // MARK: Manifests

    private struct Manifests: Encodable {
        let manifests: [ManifestBody]
    }

    private struct ManifestUpdate: Decodable {
        let clientId: String?
        let remainingStopIdList: [String]?
        let currentStopState: String?

        enum CodingKeys: String, CodingKey {
            case clientId = "client_id"
            case remainingStopIdList = "remaining_stop_id_list"
            case currentStopState = "current_stop_state"
        }
    }

    private func addManifests(_ router: Router<BasicRequestContext>) {
        router.get("backend_config") { _, _ in
            try await answer(keys: .convertToSnakeCase) { () throws(FleetEngineError) in
                Manifests(manifests: try await desk.deliveries.manifests())
            }
        }
        router.post("backend_config") { request, _ in try await newManifests(request) }
        for path in ["manifest", "manifest/:id"] {
            let path = RouterPath(path)
            router.get(path) { _, context in
                try await answer(keys: .convertToSnakeCase) { () throws(FleetEngineError) in
                    try await desk.deliveries.manifest(try id(context))
                }
            }
            router.post(path) { request, context in try await updateManifest(request, context) }
        }
    }

    /// Replaces the plan. In a form, the new plan is the part `file`; in any other request, it is the whole body.
    private func newManifests(_ request: Request) async throws -> Response {
        let whole = Array(try await collect(request).readableBytesView)
        let boundary = MultipartFile.boundary(ofContentType: request.headers[.contentType] ?? "")
        let file = try await DecodingThread.run(whole.count) { () -> [UInt8]? in
            guard let boundary else { return whole }
            return MultipartFile.file(in: whole, boundary: boundary)
        }
        guard let body = file else {
            return Self.message("the form has no part named 'file': send the manifests in a part with this name", .badRequest)
        }
        return try await answer(keys: .convertToSnakeCase) { () throws(FleetEngineError) in
            Manifests(manifests: try await desk.deliveries.replace(with: body))
        }
    }

    private func updateManifest(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let update = try await read(ManifestUpdate.self, request),
            (update.clientId == nil) != (update.remainingStopIdList == nil && update.currentStopState == nil)
        else {
            return Self.message(
                "the body must have client_id alone, or at least one of current_stop_state and remaining_stop_id_list (a list of strings)",
                .badRequest)
        }
        let state = update.currentStopState.flatMap { VehicleStopState(word: $0) }
        guard (state == nil) == (update.currentStopState == nil) else {
            return Self.message("current_stop_state must be NEW, ENROUTE or ARRIVED", .badRequest)
        }
        return try await answer(keys: .convertToSnakeCase) { () throws(FleetEngineError) in
            if let client = update.clientId {
                return try await desk.deliveries.take(context.parameters.get("id") == nil ? nil : try id(context), for: client)
            }
            return try await desk.deliveries.update(try id(context), remaining: update.remainingStopIdList, state: state)
        }
    }

    // MARK: Tasks and vehicles

    private struct OutcomeBody: Decodable {
        let outcome: String?

        enum CodingKeys: String, CodingKey {
            case snake = "task_outcome"
            case camel = "taskOutcome"
        }

        init(from decoder: any Swift.Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            outcome = try members.decodeIfPresent(String.self, forKey: .snake) ?? members.decodeIfPresent(String.self, forKey: .camel)
        }
    }

    private struct StopStateBody: Decodable {
        let stopState: String?
    }

    private func task(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard request.uri.queryParameters.get("manifestDataRequested") == "true" else {
            return try await answerMessage { () throws(FleetEngineError) in try await desk.deliveries.task(try id(context)) }
        }
        return try await answer(keys: .convertToSnakeCase) { () throws(FleetEngineError) in
            try planned(desk.deliveries.plannedTask(try id(context)))
        }
    }

    private func planned(_ task: ManifestBody.Task?) throws(FleetEngineError) -> ManifestBody.Task {
        guard let task else { throw FleetEngineError(code: .notFound, message: "no manifest has this task") }
        return task
    }

    private func tasks(_ request: Request) async throws -> Response {
        guard let vehicle = request.uri.queryParameters.get("vehicleId"), !vehicle.isEmpty else {
            return Self.message("vehicleId is missing from the query: add ?vehicleId=VEHICLE", .badRequest)
        }
        do throws(FleetEngineError) {
            let tasks = try await desk.deliveries.tasks(of: vehicle)
            let texts = try tasks.map { task throws(FleetEngineError) in try Self.protoJSON(task) }
            return Self.jsonText("[\(texts.joined(separator: ","))]")
        } catch {
            return Self.refusal(error)
        }
    }

    private func setOutcome(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let word = try await read(OutcomeBody.self, request)?.outcome
        guard let outcome = word.flatMap(DeliveryTaskOutcome.init(rawValue:)) else {
            return Self.message("task_outcome must be SUCCEEDED or FAILED", .badRequest)
        }
        return try await answerMessage { () throws(FleetEngineError) in
            try await desk.deliveries.setOutcome(of: try id(context), outcome)
        }
    }

    private func setState(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let word = try await read(StopStateBody.self, request)?.stopState
        guard let state = word.flatMap(VehicleStopState.init(word:)) else {
            return Self.message("stopState must be NEW, ENROUTE or ARRIVED", .badRequest)
        }
        return try await answerMessage { () throws(FleetEngineError) in try await desk.deliveries.setState(of: try id(context), state) }
    }

    private func setStops(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let body = Array(try await collect(request).readableBytesView)
        return try await answerMessage { () throws(FleetEngineError) in
            let vehicle = try await DecodingThread.run(body.count) { () throws(FleetEngineError) -> WireDeliveryVehicle in
                try RESTMessage.read(body)
            }
            return try await desk.deliveries.setStops(of: try id(context), vehicle.remainingVehicleJourneySegments)
        }
    }

    // MARK: Messages

    /// Returns a message as JSON. The keys are the protocol buffer names of the fields, as in the sample.
    private func answerMessage<Answer: Message>(_ make: () async throws(FleetEngineError) -> Answer) async throws -> Response {
        do throws(FleetEngineError) {
            return Self.jsonText(try Self.protoJSON(try await make()))
        } catch {
            return Self.refusal(error)
        }
    }

    private static func protoJSON(_ message: some Message) throws(FleetEngineError) -> String {
        var options = JSONEncodingOptions()
        options.preserveProtoFieldNames = true
        do {
            return try message.jsonString(options: options)
        } catch {
            throw FleetEngineError(code: .internal, message: "the answer cannot be written as JSON")
        }
    }

    private static func jsonText(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8"], body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

extension VehicleStopState {
    /// Creates the state with this name; nil if no state has the name.
    fileprivate init?(word: String) {
        guard let state = VehicleStopState(rawValue: word), state != .unknown else { return nil }
        self = state
    }
}
